// An S3 server for demonstrations. Arguments: port, folder, bucket.
import S3rver from '@20minutes/s3rver';

const [port = '', directory = '', name = ''] = process.argv.slice(2);
const service = new S3rver({
  address: '127.0.0.1',
  port: Number(port),
  silent: true,
  directory,
  vhostBuckets: false,
  configureBuckets: [{ name }],
});
await service.run();

// Device authorization grant (RFC 8628): what the page needs on which users decide.
export { decideDeviceRequest, findDeviceRequest, type DeviceRequest } from './decide-device-request.ts';
export { formatUserCode } from './user-code.ts';

/** An error whose message is for the person at the keyboard, who can fix it. The command line prints it without a stack. */
export abstract class UserFacingError extends Error {}

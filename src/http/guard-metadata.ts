/** Metadata keys that route decorators write; guards, and those who read bodies and write replies, read them. */
export const REQUIRED_SCOPE = Symbol('required scope');
export const ALWAYS_NEEDS_KEY = Symbol('always needs a key');
export const XML_ROOT = Symbol('root of replies in XML');

/** Characters of an address, at most: RFC 5321 allows no more. */
const MOST_OF_ADDRESS = 254;
const MOST_OF_LOCAL = 64;
/** Letters of ASCII alone: what needs an extension of the mail server (SMTPUTF8) is not offered. */
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** Whether it is one e-mail address without a name, comment or quotes: nothing that ends a line or begins another address. */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  const labels = domain.split('.');
  return (
    at > 0 &&
    text.length <= MOST_OF_ADDRESS &&
    local.length <= MOST_OF_LOCAL &&
    LOCAL.test(local) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label))
  );
}

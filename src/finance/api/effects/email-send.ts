import type { EffectDeclaration } from './declaration';

export interface EmailInput {
  /** UUID of the subscription whose message it is: it is sent only while that has the address. */
  subscription: string;
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html: string;
}

/**
 * An e-mail to an address that an operator listed. Only subscriptions ask for it, each key once. Its texts are not kept once
 * it was sent: they may name orders by what a shop calls them.
 */
export const emailSend: EffectDeclaration<EmailInput> = {
  personal: ['text', 'html'] satisfies (keyof EmailInput)[],
};

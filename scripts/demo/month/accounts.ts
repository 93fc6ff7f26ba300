import { SHOPS, type Shop } from './facts';

/** An account in the books for what a gateway owes, with the names under which shops know the gateway. */
export interface GatewayAccount {
  readonly name: string;
  readonly gateways: readonly [string, ...string[]];
}

export const GATEWAY_ACCOUNTS: readonly GatewayAccount[] = [
  { name: 'Shopify Payments', gateways: ['shopify_payments'] },
  { name: 'Mercado Pago', gateways: ['mercado_pago'] },
  { name: 'Stripe', gateways: ['stripe'] },
  { name: 'PagBank', gateways: ['pagbank_pix', 'pagbank_boleto'] },
  { name: 'Pagar.me', gateways: ['pagarme'] },
  { name: 'Mercado Livre', gateways: ['mercado_livre'] },
];

/** The account that all gateways pay out to. */
export const BANK = 'Banco';

/** By what gateways a shop is paid, and what they keep, where the shop says it. */
export interface ShopGateways {
  readonly card: string;
  readonly pix: string;
  readonly boleto: string;
  /** Of a payment of so many cents. */
  feeOf(method: 'card' | 'pix' | 'boleto', cents: bigint): bigint;
}

const GATEWAYS: Readonly<Record<Shop, ShopGateways>> = {
  shopify: { card: 'shopify_payments', pix: 'mercado_pago', boleto: 'mercado_pago', feeOf: () => 0n },
  woocommerce: {
    ...{ card: 'stripe', pix: 'pagbank_pix', boleto: 'pagbank_boleto' },
    feeOf: (method, cents) => (method === 'card' ? (cents * 399n) / 10_000n + 39n : 0n),
  },
  standard: {
    ...{ card: 'pagarme', pix: 'pagarme', boleto: 'pagarme' },
    feeOf: (method, cents) =>
      method === 'boleto' ? 349n : (cents * (method === 'pix' ? 99n : 379n)) / 10_000n,
  },
};

export function gatewaysOf(shop: Shop): ShopGateways {
  return GATEWAYS[shop];
}

/** Which account has what the gateway owes. @throws Error for a gateway of no account */
export function accountOf(gateway: string): string {
  const found = GATEWAY_ACCOUNTS.find(({ gateways }) => gateways.includes(gateway));
  if (!found) throw new Error(`no account has the gateway ${gateway}`);
  return found.name;
}

/** Of which shop a business key speaks. */
export function shopOf(key: string): Shop | undefined {
  return SHOPS.find((shop) => key.startsWith(`${shop}/`));
}

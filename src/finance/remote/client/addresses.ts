import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';
import type { FinanceConnection } from './connection';

/** Why a connection was not made; the code goes into the reason of its outcome. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
  readonly code = 'PONTE_ADDRESS';
}

/** What of IPv4 is not the public internet (RFC 6890 and its registry). */
const NOT_PUBLIC_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** The public part of IPv6; everything else is loopback, private, link-local, multicast, mapped or NAT64. */
const PUBLIC_V6 = ['2000::', 3] as const;
/** What of it is not public: protocol assignments with Teredo, documentation, 6to4. */
const NOT_PUBLIC_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const closedV4 = blockList(NOT_PUBLIC_V4, 'ipv4');
const openV6 = blockList([PUBLIC_V6], 'ipv6');
const closedV6 = blockList(NOT_PUBLIC_V6, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function blockList(networks: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [network, bits] of networks) list.addSubnet(network, bits, family);
  return list;
}

/** Whether an address belongs to the public internet. An IPv4 address in IPv6 clothes does not. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !closedV4.check(address, 'ipv4');
  return isIP(address) === 6 && openV6.check(address, 'ipv6') && !closedV6.check(address, 'ipv6');
}

function isIn(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** Whether an address, as numbers, may be connected to. */
export type AddressRule = (address: string) => boolean;

/**
 * Which addresses a connection may lead to. An address that operators stored leads to the public internet or
 * into networks that the environment allows; one from the environment leads anywhere. Without TLS there is
 * only this machine.
 */
export function addressRule(
  { baseUrl, trustedAddress }: Pick<FinanceConnection, 'baseUrl' | 'trustedAddress'>,
  allowedNetworks: BlockList,
): AddressRule {
  if (new URL(baseUrl).protocol !== 'https:') return (address) => trustedAddress && isIn(loopback, address);
  if (trustedAddress) return (address) => isIP(address) !== 0;
  return (address) => isPublic(address) || isIn(allowedNetworks, address);
}

/**
 * Which addresses of the public internet, or of the networks that the environment allows, may be connected to. Without
 * TLS there is only this machine, where it is allowed.
 */
export function outwardRule(protocol: 'http:' | 'https:', allowedNetworks: BlockList): AddressRule {
  if (protocol === 'https:') return (address) => isPublic(address) || isIn(allowedNetworks, address);
  return (address) => isIn(loopback, address) && isIn(allowedNetworks, address);
}

/**
 * What is wrong with a base address; undefined when nothing is. Names are looked up only when a connection is
 * made, and checked then.
 */
export function baseUrlProblem(baseUrl: string): string | undefined {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url) return 'the address of the finance service is not an address';
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return 'the address of the finance service is not https';
  if ([url.username, url.password, url.search, url.hash].some((part) => part !== ''))
    return 'the address of the finance service has a user, a query or a fragment';
  return undefined;
}

/**
 * The lookup of names for sockets: gives only addresses that the rule allows, so that what was checked is what
 * is connected to, whatever the name means a moment later.
 */
export function guardedLookup(allowed: AddressRule, lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '');
      const addresses = Array.isArray(found) ? found.filter(({ address }) => allowed(address)) : [];
      const [first] = addresses;
      if (!first) return callback(new AddressError('the name leads to no allowed address'), '');
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** @throws AddressError when the host is an address as numbers that the rule forbids: those are not looked up */
export function checkLiteral(host: string, allowed: AddressRule): void {
  if (isIP(host) !== 0 && !allowed(host)) throw new AddressError('the address is not allowed');
}

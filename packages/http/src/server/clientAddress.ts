import { Either } from "effect"
import ipaddr from "ipaddr.js"

/** Proxies whose `X-Forwarded-For` is trusted. */
export type TrustedProxies = ReadonlyArray<readonly [ipaddr.IPv4 | ipaddr.IPv6, number]>

/** Parses addresses and CIDR ranges. Left: the first invalid one. */
export const trustedProxies = (ranges: ReadonlyArray<string>): Either.Either<TrustedProxies, string> => {
  const read: Array<readonly [ipaddr.IPv4 | ipaddr.IPv6, number]> = []
  for (const range of ranges) {
    const trimmed = range.trim()
    if (ipaddr.isValidCIDR(trimmed)) read.push(ipaddr.parseCIDR(trimmed))
    else if (ipaddr.isValid(trimmed)) {
      const address = ipaddr.process(trimmed)
      read.push([address, address.kind() === "ipv4" ? 32 : 128])
    } else return Either.left(range)
  }
  return Either.right(read)
}

/**
 * Client address: the peer's or, behind trusted proxies, the last hop of `X-Forwarded-For` that is not a trusted proxy.
 * Hops before the first unreadable one are not trusted.
 */
export const clientAddress = (
  peer: string | null,
  forwardedFor: string | undefined,
  trusted: TrustedProxies
): string => {
  if (peer === null) return "unknown"
  if (trusted.length === 0 || forwardedFor === undefined) return plain(peer)
  let client = peer
  for (const hop of forwardedFor.split(",").reverse()) {
    if (!isTrusted(client, trusted)) break
    const address = withoutPort(hop.trim())
    if (!ipaddr.isValid(address)) break
    client = address
  }
  return plain(client)
}

const internalRanges: ReadonlyArray<string> = ["loopback", "private", "linkLocal", "uniqueLocal", "carrierGradeNat"]

/** Whether an address is of this host or of a private network, such as that of a proxy. */
export const isInternal = (text: string): boolean =>
  ipaddr.isValid(text) && internalRanges.includes(ipaddr.process(text).range())

/** Whether an address is in one of the ranges. */
export const isTrusted = (text: string, trusted: TrustedProxies): boolean => {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  return trusted.some(([range, bits]) => range.kind() === address.kind() && address.match([range, bits] as never))
}

/** Normalises an address, so that each address has one rate bucket. */
const plain = (text: string): string => {
  const ipv4 = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(text)?.[1]
  if (ipv4 !== undefined) return ipv4
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : text
}

/** Strips the port that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (hop: string): string =>
  /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop

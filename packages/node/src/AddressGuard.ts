import { Data, Either } from "effect"
import ipaddr from "ipaddr.js"

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [network: Address, prefixLength: number]

/** What was given as a CIDR is none. */
export class CidrInvalid extends Data.TaggedError("CidrInvalid")<{ readonly cidr: string }> {
  override get message() {
    return `"${this.cidr}" is not a CIDR such as 10.0.0.0/8 or fd00::/8`
  }
}

/** Decides which addresses outbound requests may go to (decisions.md §12). */
export interface AddressGuard {
  /** Of an IP address as the resolver or a parsed URL writes it; anything else is not allowed. */
  readonly allows: (address: string) => boolean
}

/**
 * A guard that allows public unicast addresses and, beyond them, the networks of `allow`: CIDRs, or single addresses.
 * IPv6 that stands for an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) counts as the IPv6 address that it is, so
 * that it passes only where its own range is listed.
 */
export const make = (allow: ReadonlyArray<string> = []): Either.Either<AddressGuard, CidrInvalid> =>
  Either.map(Either.all(allow.map(parseRange)), (ranges) => ({
    allows: (text) => {
      const address = parseAddress(text)
      return address !== null && (isPublic(address) || ranges.some((range) => contains(range, address)))
    }
  }))

const parseRange = (cidr: string): Either.Either<Range, CidrInvalid> => {
  const [host = "", prefixLength, ...rest] = cidr.trim().split("/")
  const network = parseAddress(host)
  if (network === null || rest.length > 0) return Either.left(new CidrInvalid({ cidr }))
  const bits = network.kind() === "ipv4" ? 32 : 128
  if (prefixLength === undefined) return Either.right([network, bits])
  return /^\d{1,3}$/.test(prefixLength) && Number(prefixLength) <= bits
    ? Either.right([network, Number(prefixLength)])
    : Either.left(new CidrInvalid({ cidr }))
}

const parseAddress = (text: string): Address | null => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  // A zone id belongs to an address that is not public, and a CIDR cannot name it.
  return ipaddr.IPv6.isValid(text) && !text.includes("%") ? ipaddr.IPv6.parse(text) : null
}

const contains = ([network, prefixLength]: Range, address: Address): boolean =>
  network.kind() === address.kind() && address.match(network, prefixLength)

/** All of IPv6 that is given out for public use (RFC 4291, section 2.4); ipaddr.js calls the rest `unicast` too. */
const globalUnicast: Range = [ipaddr.IPv6.parse("2000::"), 3]

/** Cloud services that answer on an address outside the reserved ranges: Azure's platform endpoint. */
const metadata: ReadonlyArray<Range> = [[ipaddr.IPv4.parse("168.63.129.16"), 32]]

const isPublic = (address: Address): boolean =>
  address.range() === "unicast" &&
  (address.kind() === "ipv4" || contains(globalUnicast, address)) &&
  !metadata.some((range) => contains(range, address))

import { Data, Either } from "effect"
import ipaddr from "ipaddr.js"

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [network: Address, prefixLength: number]

/** An invalid CIDR. */
export class CidrInvalid extends Data.TaggedError("CidrInvalid")<{ readonly cidr: string }> {
  override get message() {
    return `"${this.cidr}" is not a CIDR such as 10.0.0.0/8 or fd00::/8`
  }
}

/** Decides which addresses outbound requests may connect to (docs/reference/webhooks.md#address-rules). */
export interface AddressGuard {
  /** Takes an IP address as the resolver or a parsed URL writes it. Anything else is not allowed. */
  readonly allows: (address: string) => boolean
}

/**
 * Creates a guard that allows public unicast addresses and the networks of `allow` (CIDRs or single addresses). An IPv6
 * address that embeds an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) is checked as IPv6: it is allowed only
 * if its own range is listed.
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
  // Addresses with a zone id are not public, and a CIDR cannot contain one.
  return ipaddr.IPv6.isValid(text) && !text.includes("%") ? ipaddr.IPv6.parse(text) : null
}

const contains = ([network, prefixLength]: Range, address: Address): boolean =>
  network.kind() === address.kind() && address.match(network, prefixLength)

/** IPv6 range for public unicast (RFC 4291, section 2.4). ipaddr.js also calls other ranges `unicast`. */
const globalUnicast: Range = [ipaddr.IPv6.parse("2000::"), 3]

/** Metadata service outside of the reserved ranges: Azure's platform endpoint. */
const metadata: ReadonlyArray<Range> = [[ipaddr.IPv4.parse("168.63.129.16"), 32]]

const isPublic = (address: Address): boolean =>
  address.range() === "unicast" &&
  (address.kind() === "ipv4" || contains(globalUnicast, address)) &&
  !metadata.some((range) => contains(range, address))

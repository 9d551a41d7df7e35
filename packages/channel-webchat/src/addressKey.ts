import { isIPv4, isIPv6 } from "node:net"

/**
 * The key under which a client address is counted: an IPv4 address, or the /64 network of an IPv6 address, because one
 * line has a whole /64. Null if the text is no address: such clients are not distinguished.
 */
export const addressKey = (address: string | undefined): string | null => {
  const text = address?.replace(/%.*$/, "") ?? ""
  if (isIPv4(text)) return text
  if (!isIPv6(text)) return null
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1]
  if (mapped !== undefined) return mapped
  // An IPv4 address at the end stands for two groups.
  const [before = "", after] = text.replace(/\d+\.\d+\.\d+\.\d+$/, "0:0").split("::")
  const head = groupsOf(before)
  const tail = after === undefined ? [] : groupsOf(after)
  const zeros = Array.from({ length: after === undefined ? 0 : 8 - head.length - tail.length }, () => 0)
  const network = [...head, ...zeros, ...tail].slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(":")}::/64`
}

const groupsOf = (text: string): ReadonlyArray<number> =>
  text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16))

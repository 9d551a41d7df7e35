/**
 * The key under which a client address is limited: an IPv4 address, or the /64 network of an IPv6 address, because one
 * line has a whole /64. Text that is no IPv6 address is returned unchanged.
 */
export const clientNetwork = (address: string): string => {
  const text = address.replace(/%.*$/, "")
  if (!text.includes(":")) return text
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1]
  if (mapped !== undefined) return mapped
  // An IPv4 address at the end stands for two groups.
  const [before = "", after] = text.replace(/\d+\.\d+\.\d+\.\d+$/, "0:0").split("::")
  const head = groupsOf(before)
  const tail = after === undefined ? [] : groupsOf(after)
  const zeros = Array.from({ length: after === undefined ? 0 : Math.max(0, 8 - head.length - tail.length) }, () => 0)
  const network = [...head, ...zeros, ...tail].slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(":")}::/64`
}

const groupsOf = (text: string): ReadonlyArray<number> =>
  text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16))

import { isIP } from "node:net"
import { clientNetwork } from "@parley/core"

/** The network of a client address. Null if the text is no address: the client cannot be told from others. */
export const addressKey = (address: string | undefined): string | null =>
  address !== undefined && isIP(address) !== 0 ? clientNetwork(address) : null

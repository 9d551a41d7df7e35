import { isIP } from "node:net"
import { clientNetwork } from "@parley/core"

/** The network of a client address. Null if the text is no address: its client cannot be distinguished from others. */
export const addressKey = (address: string | undefined): string | null =>
  address !== undefined && isIP(address) !== 0 ? clientNetwork(address) : null

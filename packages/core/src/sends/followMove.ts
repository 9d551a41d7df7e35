import { Either } from "effect"
import type { Connection } from "../channels/Connection.js"
import { normaliseHandle } from "../contacts/Handle.js"
import { type ChannelProvider, SendOutcome } from "../ports/ChannelProvider.js"
import type { SendProgress } from "./SendProgress.js"

/** How often a message follows its recipient to another handle. */
export const mostMoves = 3

/** The outcome with the recipient's new handle normalised; a move that leads nowhere, or on and on, is a rejection. */
export const followMove = (
  outcome: SendOutcome,
  { channel }: Pick<Connection, "channel">,
  { parseHandle }: Pick<ChannelProvider, "parseHandle">,
  { moves }: Pick<SendProgress, "moves">
): SendOutcome => {
  if (outcome._tag !== "Moved") return outcome
  if (moves >= mostMoves) return rejected("the recipient's handle changed too often")
  const handle = Either.flatMap(normaliseHandle(channel, outcome.handle), (normal) => parseHandle(channel, normal))
  return Either.isLeft(handle)
    ? rejected("the recipient's new handle cannot be read")
    : SendOutcome.Moved({ handle: handle.right })
}

const rejected = (providerMessage: string): SendOutcome =>
  SendOutcome.Rejected({ scope: "recipient", code: "provider_error", providerCode: "moved", providerMessage })

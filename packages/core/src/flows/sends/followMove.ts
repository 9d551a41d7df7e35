import { Either } from "effect"
import { channelOf } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import { type ChannelProvider, SendOutcome } from "../../ports/ChannelProvider.js"
import { handleKind, normaliseHandle } from "../../resources/contacts/Handle.js"
import type { SendProgress } from "./SendProgress.js"

/** Maximum number of handle changes that one message follows. */
export const maxMoves = 3

/** Normalises the new handle of a `Moved` outcome. Too many moves or an unreadable handle become `Rejected`. */
export const followMove = (
  outcome: SendOutcome,
  { channel }: Pick<Connection, "channel">,
  { channels, parseHandle }: Pick<ChannelProvider, "channels" | "parseHandle">,
  { moves }: Pick<SendProgress, "moves">
): SendOutcome => {
  if (outcome._tag !== "Moved") return outcome
  if (moves >= maxMoves) return rejected("the recipient's handle changed too often")
  const kind = handleKind(channelOf(channels, channel))
  const handle = Either.flatMap(normaliseHandle(kind, outcome.handle), (normal) => parseHandle(channel, normal))
  return Either.isLeft(handle)
    ? rejected("the recipient's new handle cannot be read")
    : SendOutcome.Moved({ handle: handle.right })
}

const rejected = (providerMessage: string): SendOutcome =>
  SendOutcome.Rejected({ scope: "recipient", code: "provider_error", providerCode: "moved", providerMessage })

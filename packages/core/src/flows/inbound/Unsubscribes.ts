import { Context, Effect } from "effect"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, Storage } from "../../ports/Storage.js"
import { verifiedId } from "../../resources/messages/signedId.js"
import { Inbound } from "./Inbound.js"
import { unsubscribing } from "./unsubscribing.js"

/** The links in marketing mails with which recipients unsubscribe (docs/reference/email.md#one-click). */
export interface Unsubscribes {
  /** Whether the signed id of a link was given out here. Reads nothing: its message may be deleted. */
  readonly isSigned: (signedId: string) => boolean
  /**
   * Opts out the recipient of the message by the rule of a STOP reply. Durable when it returns. Does nothing for a
   * signed id that is not ours, a deleted message and a recipient who opted out already.
   */
  readonly unsubscribe: (signedId: string) => Effect.Effect<void, CommitError>
}
export const Unsubscribes = Context.GenericTag<Unsubscribes>("@parley/core/Unsubscribes")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const secretBox = yield* SecretBox
  const inbound = yield* Inbound
  return Unsubscribes.of({
    isSigned: (signedId) => verifiedId(secretBox, "unsubscribe", signedId) !== null,
    unsubscribe: (signedId) =>
      Effect.flatMap(unsubscribing({ secretBox, storage }, signedId), (found) =>
        found === null ? Effect.void : inbound.take(found.connection, [found.event])
      )
  })
})

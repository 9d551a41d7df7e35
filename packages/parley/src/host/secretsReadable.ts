import { type ReadError, SecretBox, Storage } from "@parley/core"
import { Data, Effect } from "effect"

/** What the database holds was sealed with another key than this process has; `setting` is where that comes from. */
export class SecretKeyMismatch extends Data.TaggedError("SecretKeyMismatch")<{
  readonly setting: string
  readonly reason: string
}> {
  override get message(): string {
    return `${this.setting}, is not the key that this database's secrets were sealed with (${this.reason}). Start with that key, or with it among the previous ones: without it no webhook can be signed.`
  }
}

/** Succeeds where the latest signing secret in the database can be read, or where there is none. */
export const secretsReadable = (
  setting: string
): Effect.Effect<void, SecretKeyMismatch | ReadError, Storage | SecretBox> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const secretBox = yield* SecretBox
    const [endpoint] = yield* storage.list({ from: "endpoints", where: {}, after: null, limit: 1 })
    if (endpoint === undefined) return
    yield* Effect.mapError(secretBox.open(endpoint.secret), ({ reason }) => new SecretKeyMismatch({ setting, reason }))
  })

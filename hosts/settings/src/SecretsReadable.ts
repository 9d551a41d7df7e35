import { type ReadError, SecretBox, Storage } from "@parley/core"
import { Data, Effect } from "effect"

/** What the database holds was sealed with another key than this host has. */
export class SecretKeyMismatch extends Data.TaggedError("SecretKeyMismatch")<{ readonly reason: string }> {
  override get message(): string {
    return `PARLEY_SECRET_KEY, or the secret-key file in PARLEY_DATA_DIR, is not the key that this database's secrets were sealed with (${this.reason}). Start with that key: without it no webhook can be signed.`
  }
}

/** Succeeds where the latest signing secret in the database can be read, or where there is none. */
export const secretsReadable: Effect.Effect<void, SecretKeyMismatch | ReadError, Storage | SecretBox> = Effect.gen(
  function* () {
    const storage = yield* Storage
    const secretBox = yield* SecretBox
    const [endpoint] = yield* storage.list({ from: "endpoints", where: {}, after: null, limit: 1 })
    if (endpoint === undefined) return
    yield* Effect.mapError(secretBox.open(endpoint.secret), ({ reason }) => new SecretKeyMismatch({ reason }))
  }
)

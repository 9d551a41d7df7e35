import { type ReadError, SecretBox, Storage } from "@parley/core"
import { Data, Effect } from "effect"

/** The database's secrets were encrypted with another key. `setting` names the source of this process' key. */
export class SecretKeyMismatch extends Data.TaggedError("SecretKeyMismatch")<{
  readonly setting: string
  readonly reason: string
}> {
  override get message(): string {
    return `${this.setting} is not the key that encrypted this database's secrets (${this.reason}). Start with that key, or with it among the previous ones: without it no webhook can be signed and no vendor called.`
  }
}

/** Number of connections among which one with credentials is looked for. */
const maxConnections = 100

/**
 * Succeeds if the latest signing secret in the database can be decrypted; without one, the latest credentials of a
 * connection. Also if the database has none of both.
 */
export const secretsReadable = (
  setting: string
): Effect.Effect<void, SecretKeyMismatch | ReadError, Storage | SecretBox> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const secretBox = yield* SecretBox
    const [endpoint] = yield* storage.list({ from: "endpoints", where: {}, after: null, limit: 1 })
    const connections =
      endpoint === undefined
        ? yield* storage.list({ from: "connections", where: {}, after: null, limit: maxConnections })
        : []
    const sealed = endpoint?.secret ?? connections.find(({ credentials }) => credentials !== null)?.credentials
    if (sealed == null) return
    yield* Effect.mapError(secretBox.open(sealed), ({ reason }) => new SecretKeyMismatch({ setting, reason }))
  })

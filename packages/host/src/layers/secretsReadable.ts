import { missingKeys, type ReadError, SecretBox, Storage } from "@parley/core"
import { Data, Effect } from "effect"

/** The database's secrets were encrypted with another key. `setting` names the source of this process' key. */
export class SecretKeyMismatch extends Data.TaggedError("SecretKeyMismatch")<{
  readonly setting: string
  readonly reason: string
}> {
  override get message(): string {
    return `${this.setting} is not the key that encrypted this database's secrets: the newest ${this.reason}. Start with that key, or add it: without it no webhook can be signed and no vendor called.`
  }
}

/** Number of connections among which one with credentials is looked for. */
const maxConnections = 100

/**
 * Succeeds if the latest signing secret in the database can be decrypted; without one, the latest credentials of a
 * connection. Also if the database has none of both. Warns of keys that other values need and this host lacks.
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
    if (sealed != null) {
      yield* Effect.mapError(secretBox.open(sealed), ({ reason }) => new SecretKeyMismatch({ setting, reason }))
    }
    const missing = yield* missingKeys(storage, secretBox)
    if (missing.length === 0) return
    const keys = missing.map(({ key, values }) => `${key} (${values} of the stored secrets)`).join(", ")
    yield* Effect.logWarning(
      `this host lacks the secret keys ${keys}: webhooks, calls and sends that need them wait. Add them to PARLEY_SECRET_KEY_PREVIOUS, or to previousSecretKeys of createParley; parley secrets status counts all.`
    )
  })

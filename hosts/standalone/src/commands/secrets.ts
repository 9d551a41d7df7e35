import { Command } from "@effect/cli"
import { Console, Effect } from "effect"
import type { AdminClient, Resource } from "./AdminClient.js"
import { CommandFailed } from "./CommandFailed.js"
import { described } from "./described.js"
import { leaf } from "./leaf.js"
import { printList, printOne } from "./output.js"
import { type Tell, withProgress } from "./progress.js"

const keysOf = (client: AdminClient): Effect.Effect<ReadonlyArray<Resource>, CommandFailed> =>
  Effect.map(client.call("GET", "/secrets"), ({ keys }) => keys as ReadonlyArray<Resource>)

const printKeys = (json: boolean, keys: ReadonlyArray<Resource>) =>
  printList(json, { rows: keys, hasMore: false }, ["key", "use", "signing_secrets", "credentials"])

const status = leaf(
  "status",
  "Count what is encrypted with which key: one that nothing is encrypted with may be dropped. Example: parley secrets status",
  {},
  (_, { client, json }) => Effect.flatMap(keysOf(client), (keys) => printKeys(json, keys))
)

/** What the steps of a rotation did so far. */
interface Rotated extends Resource {
  /** Null before the first step. */
  readonly key: string | null
  readonly examined: number
  readonly resealed: number
  readonly unreadable: number
}

/** Takes every step from this cursor on. */
const rotated = (
  client: AdminClient,
  tell: Tell,
  cursor: string | null,
  before: Rotated
): Effect.Effect<Rotated, CommandFailed> =>
  Effect.gen(function* () {
    const step = yield* client.call("POST", "/secrets/rotate", { cursor })
    const key = String(step.key)
    // Each would undo what the other did.
    if (before.key !== null && before.key !== key) {
      return yield* new CommandFailed({
        message: `Hosts with different keys answered, ${before.key} and ${key}: give every host the new PARLEY_SECRET_KEY, then do it again.`
      })
    }
    const done = {
      key,
      examined: before.examined + Number(step.examined),
      resealed: before.resealed + Number(step.resealed),
      unreadable: before.unreadable + Number(step.unreadable)
    }
    yield* tell(`${done.examined} looked at, ${done.resealed} encrypted anew`)
    return typeof step.cursor === "string" ? yield* rotated(client, tell, step.cursor, done) : done
  })

const nothing: Rotated = { key: null, examined: 0, resealed: 0, unreadable: 0 }

const rotate = leaf(
  "rotate",
  "Encrypt signing secrets and provider credentials with the present key; do it once every host has that. Example: parley secrets rotate",
  {},
  (_, { client, json }) =>
    Effect.gen(function* () {
      yield* printOne(json, yield* withProgress(json, (tell) => rotated(client, tell, null, nothing)))
      const keys = yield* keysOf(client)
      const left = keys
        .filter(({ use }) => use !== "present")
        .reduce((sum, { credentials, signing_secrets }) => sum + Number(credentials) + Number(signing_secrets), 0)
      if (!json) yield* Effect.zipRight(Console.log(""), printKeys(json, keys))
      if (left > 0) {
        return yield* new CommandFailed({
          message: `${left} are still encrypted with other keys. Does every host have the new PARLEY_SECRET_KEY, and this one all others in PARLEY_SECRET_KEY_PREVIOUS? Then do it again.`
        })
      }
      if (!json)
        yield* Console.log("\nNothing is encrypted with another key: PARLEY_SECRET_KEY_PREVIOUS may be dropped.")
    })
)

export const secrets = Command.make("secrets").pipe(
  described("The key that signing secrets and provider credentials are encrypted with"),
  Command.withSubcommands([status, rotate])
)

import { Command } from "@effect/cli"
import { Console, Effect } from "effect"
import type { AdminClient, Resource } from "./AdminClient.js"
import { apiCommand } from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { described } from "./described.js"
import { printList, printOne } from "./output.js"
import { type ReportProgress, withProgress } from "./progress.js"

const keysOf = (client: AdminClient): Effect.Effect<ReadonlyArray<Resource>, CommandFailed> =>
  Effect.map(client.call("GET", "/secrets"), ({ keys }) => keys as ReadonlyArray<Resource>)

const printKeys = (json: boolean, keys: ReadonlyArray<Resource>) =>
  printList(json, { rows: keys, hasMore: false }, ["key", "use", "signing_secrets", "credentials", "urls"])

const status = apiCommand(
  "status",
  "Count secrets by the key that encrypts them; a key without secrets can be removed. Example: parley secrets status",
  {},
  (_, { client, json }) => Effect.flatMap(keysOf(client), (keys) => printKeys(json, keys))
)

/** The progress of a rotation. */
interface Rotated extends Resource {
  /** Null before the first step. */
  readonly key: string | null
  readonly examined: number
  readonly resealed: number
  readonly unreadable: number
}

/** Takes all remaining steps from this cursor. */
const rotated = (
  client: AdminClient,
  report: ReportProgress,
  cursor: string | null,
  before: Rotated
): Effect.Effect<Rotated, CommandFailed> =>
  Effect.gen(function* () {
    const step = yield* client.call("POST", "/secrets/rotate", { cursor })
    const key = String(step.key)
    // Each host would undo the rotation of the other.
    if (before.key !== null && before.key !== key) {
      return yield* new CommandFailed({
        message: `Hosts with different keys answered, ${before.key} and ${key}: set the new PARLEY_SECRET_KEY on every host, then retry.`
      })
    }
    const done = {
      key,
      examined: before.examined + Number(step.examined),
      resealed: before.resealed + Number(step.resealed),
      unreadable: before.unreadable + Number(step.unreadable)
    }
    yield* report(`${done.examined} examined, ${done.resealed} re-encrypted`)
    return typeof step.cursor === "string" ? yield* rotated(client, report, step.cursor, done) : done
  })

const nothing: Rotated = { key: null, examined: 0, resealed: 0, unreadable: 0 }

const rotate = apiCommand(
  "rotate",
  "Re-encrypt signing secrets, provider credentials and webhook URLs with the present key; run it once every host has that key. Example: parley secrets rotate",
  {},
  (_, { client, json }) =>
    Effect.gen(function* () {
      yield* printOne(json, yield* withProgress(json, (report) => rotated(client, report, null, nothing)))
      const keys = yield* keysOf(client)
      const left = keys
        .filter(({ use }) => use !== "present")
        .reduce(
          (sum, { credentials, signing_secrets, urls }) =>
            sum + Number(credentials) + Number(signing_secrets) + Number(urls),
          0
        )
      if (!json) yield* Effect.zipRight(Console.log(""), printKeys(json, keys))
      if (left > 0) {
        return yield* new CommandFailed({
          message: `${left} are still encrypted with other keys. Check that every host has the new PARLEY_SECRET_KEY, and this one all others in PARLEY_SECRET_KEY_PREVIOUS. Then retry.`
        })
      }
      if (!json)
        yield* Console.log("\nNo secret is encrypted with another key: PARLEY_SECRET_KEY_PREVIOUS can be removed.")
    })
)

export const secrets = Command.make("secrets").pipe(
  described("The key that signing secrets and provider credentials are encrypted with"),
  Command.withSubcommands([status, rotate])
)

import { ApplicationStatusResource, StatusResource } from "@parley/core"
import { Console, Effect, Schema } from "effect"
import { unreachable } from "./AdminClient.js"
import { apiCommand, choice, numberOption } from "./apiCommand.js"
import { applicationsPage } from "./applicationsPage.js"
import { CommandFailed } from "./CommandFailed.js"
import { printOne, terminalWidth } from "./output.js"
import { statusPage } from "./statusPage.js"
import type { Target } from "./Target.js"

/** Shows the status of the service. */
export const status = apiCommand(
  "status",
  "Show the status: readiness, the queue, and what needs attention; or what waits for each application. Example: parley status Example: parley status --by application --json",
  {
    by: choice(
      "by",
      ["application", "lane"],
      "lane",
      "Show what waits for each application, or the status with the queue by lane"
    ),
    top: numberOption("top", "The number of applications, at most 100 (default 25)")
  },
  ({ by, top }, { client, json, target }) =>
    Effect.gen(function* () {
      const problem = yield* unreadiness(target)
      if (problem !== null) {
        return yield* new CommandFailed({ message: `The Parley at ${target.url} is not ready: ${problem}` })
      }
      const read = <A, I>(schema: Schema.Schema<A, I>, path: string, page: (found: A) => string) =>
        Effect.gen(function* () {
          const found = yield* client.call("GET", path)
          if (json) return yield* printOne(json, found)
          const decoded = yield* Effect.mapError(
            Schema.decodeUnknown(schema)(found),
            () =>
              new CommandFailed({
                message: `The Parley at ${target.url} has another version: use its own command, or --json`
              })
          )
          yield* Console.log(page(decoded))
        })
      yield* by === "lane"
        ? read(StatusResource, "/status", (status) => statusPage(status, target.url, terminalWidth()))
        : read(ApplicationStatusResource, `/status/applications?top=${top ?? 25}`, (found) =>
            applicationsPage(found, terminalWidth())
          )
    })
)

/** Why the host is not ready; null if it is, or if its probe cannot be reached from here. */
const unreadiness = (target: Target): Effect.Effect<string | null, CommandFailed> =>
  Effect.tryPromise({
    try: async (signal) => (await fetch(`${target.url}/readyz`, { signal })).text(),
    catch: (error) => unreachable(target, error)
  }).pipe(
    Effect.flatMap((text) => Schema.decodeUnknown(Schema.parseJson(Unready))(text)),
    Effect.map(({ reason }) => reason),
    Effect.catchTag("ParseError", () => Effect.succeed(null))
  )

const Unready = Schema.Struct({ status: Schema.Literal("not_ready"), reason: Schema.String })

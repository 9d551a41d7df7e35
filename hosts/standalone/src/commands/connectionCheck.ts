import { Effect } from "effect"
import { apiCommand } from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { printOne } from "./output.js"
import { idOf, type Kind, pathTo } from "./resource.js"

/** `parley connection check <id>`: the exit code is 1 if the connection does not work. */
export const check = (kind: Kind) =>
  apiCommand(
    "check",
    "Test a connection's settings without sending a message; the exit code is 1 if they do not work. Example: parley connection check <id>",
    { id: idOf(kind) },
    ({ id }, { client, json }) =>
      Effect.gen(function* () {
        const outcome = yield* client.call("POST", `${pathTo(kind, id)}/check`)
        const works = outcome.status === "working"
        if (works || json) yield* printOne(json, outcome)
        if (!works) return yield* new CommandFailed({ message: `It does not work: ${outcome.detail}` })
      })
  )

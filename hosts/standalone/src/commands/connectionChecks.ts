import { Console, Effect } from "effect"
import { CommandFailed } from "./CommandFailed.js"
import { leaf } from "./leaf.js"
import { printOne } from "./output.js"
import { idOf, type Kind, pathTo } from "./resource.js"

/** `parley connection check <id>`: ends with 1 where the connection does not work. */
export const check = (kind: Kind) =>
  leaf(
    "check",
    "Try a connection's settings without sending anything; the exit code is 1 where they do not work. Example: parley connection check <id>",
    { id: idOf(kind) },
    ({ id }, { client, json }) =>
      Effect.gen(function* () {
        const outcome = yield* client.call("POST", `${pathTo(kind, id)}/check`)
        const works = outcome.status === "working"
        if (works || json) yield* printOne(json, outcome)
        if (!works) return yield* new CommandFailed({ message: `It does not work: ${outcome.detail}` })
      })
  )

/** `parley connection setup <id>` */
export const setUp = (kind: Kind) =>
  leaf(
    "setup",
    "Have a connection's vendor call its webhook here. Example: parley connection setup <id>",
    { id: idOf(kind) },
    ({ id }, { client, json }) =>
      Effect.flatMap(client.call("POST", `${pathTo(kind, id)}/setup`), (outcome) => printOne(json, outcome))
  )

/** `parley connection sync-templates <id>` */
export const syncTemplates = (kind: Kind) =>
  leaf(
    "sync-templates",
    "Take the templates of a connection's account over now. Example: parley connection sync-templates <id>",
    { id: idOf(kind) },
    ({ id }, { client, json }) =>
      Effect.gen(function* () {
        const outcome = yield* client.call("POST", `${pathTo(kind, id)}/sync-templates`)
        yield* printOne(json, outcome)
        if (!json && outcome.created === 0 && outcome.updated === 0) {
          yield* Console.error(
            `\nNothing was new. Are some missing? parley connection check ${id} tells what it lacks.`
          )
        }
      })
  )

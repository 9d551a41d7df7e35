import { Command } from "@effect/cli"
import { Effect } from "effect"
import { applicationOption, argument, leaf, limitOption, needed } from "./leaf.js"
import { printList, printOne } from "./output.js"

const keyId = argument("id", "The key's id, as parley key list shows it")
const keysOf = (application: string) => `/applications/${encodeURIComponent(application)}/api-keys`

const issue = leaf(
  "issue",
  "Issue an API key; it is shown this once. Example: parley key issue --app <id>",
  { app: applicationOption },
  ({ app }, { client, json, target }) =>
    Effect.gen(function* () {
      const application = yield* needed("app", app, target)
      yield* printOne(json, yield* client.call("POST", keysOf(application)))
    })
)

const list = leaf(
  "list",
  "List an application's API keys, newest first. Example: parley key list --app <id>",
  { app: applicationOption, limit: limitOption },
  ({ app, limit }, { client, json, target }) =>
    Effect.gen(function* () {
      const application = yield* needed("app", app, target)
      const page = yield* client.list(keysOf(application), { limit })
      yield* printList(json, page, ["id", "last_four", "created_at", "revoked_at"])
    })
)

const revoke = leaf(
  "revoke",
  "Revoke an API key: it stops working at once. Example: parley key revoke <id> --app <id>",
  { id: keyId, app: applicationOption },
  ({ app, id }, { client, json, target }) =>
    Effect.gen(function* () {
      const application = yield* needed("app", app, target)
      yield* printOne(json, yield* client.call("DELETE", `${keysOf(application)}/${encodeURIComponent(id)}`))
    })
)

const rotate = leaf(
  "rotate",
  "Replace an API key: the old one stops working at once. Example: parley key rotate <id> --app <id>",
  { id: keyId, app: applicationOption },
  ({ app, id }, { client, json, target }) =>
    Effect.gen(function* () {
      const application = yield* needed("app", app, target)
      yield* printOne(json, yield* client.call("POST", `${keysOf(application)}/${encodeURIComponent(id)}/rotate`))
    })
)

export const key = Command.make("key").pipe(
  Command.withDescription("API keys, with which applications call"),
  Command.withSubcommands([issue, list, revoke, rotate])
)

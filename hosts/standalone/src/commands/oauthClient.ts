import { Command } from "@effect/cli"
import { Effect } from "effect"
import { applicationOption, argument, leaf, limitOption, needed } from "./leaf.js"
import { printList, printOne } from "./output.js"

const clientId = argument("id", "The client's id, as parley oauth-client list shows it")
const clientsOf = (application: string) => `/applications/${encodeURIComponent(application)}/oauth-clients`

const create = leaf(
  "create",
  "Issue an OAuth client; its secret is shown this once. Example: parley oauth-client create --app <id>",
  { app: applicationOption },
  ({ app }, { client, json, target }) =>
    Effect.gen(function* () {
      const application = yield* needed("app", app, target)
      yield* printOne(json, yield* client.call("POST", clientsOf(application)))
    })
)

const list = leaf(
  "list",
  "List an application's OAuth clients, newest first. Example: parley oauth-client list --app <id>",
  { app: applicationOption, limit: limitOption },
  ({ app, limit }, { client, json, target }) =>
    Effect.gen(function* () {
      const application = yield* needed("app", app, target)
      const page = yield* client.list(clientsOf(application), { limit })
      yield* printList(json, page, ["id", "client_id", "last_four", "created_at", "revoked_at"])
    })
)

const revoke = leaf(
  "revoke",
  "Revoke an OAuth client: it and its tokens stop working at once. Example: parley oauth-client revoke <id> --app <id>",
  { id: clientId, app: applicationOption },
  ({ app, id }, { client, json, target }) =>
    Effect.gen(function* () {
      const application = yield* needed("app", app, target)
      yield* printOne(json, yield* client.call("DELETE", `${clientsOf(application)}/${encodeURIComponent(id)}`))
    })
)

const rotate = leaf(
  "rotate",
  "Replace an OAuth client's secret: the old one and its tokens stop working at once. Example: parley oauth-client rotate <id> --app <id>",
  { id: clientId, app: applicationOption },
  ({ app, id }, { client, json, target }) =>
    Effect.gen(function* () {
      const application = yield* needed("app", app, target)
      yield* printOne(json, yield* client.call("POST", `${clientsOf(application)}/${encodeURIComponent(id)}/rotate`))
    })
)

export const oauthClient = Command.make("oauth-client").pipe(
  Command.withDescription("OAuth clients, with which applications get access tokens"),
  Command.withSubcommands([create, list, rotate, revoke])
)

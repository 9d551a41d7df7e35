import { Command } from "@effect/cli"
import { Console, Effect } from "effect"
import { listen } from "./endpointListen.js"
import { applicationOption, argument, itemsOf, leaf, limitOption, needed, option } from "./leaf.js"
import { printList, printOne } from "./output.js"

const endpointId = argument("id", "The endpoint's id, as parley endpoint list shows it")
const endpointsOf = (application: string) => `/applications/${encodeURIComponent(application)}/webhook-endpoints`
const pathOf = (id: string) => `/webhook-endpoints/${encodeURIComponent(id)}`

const add = leaf(
  "add",
  "Register a webhook endpoint; its signing secret is shown this once. Example: parley endpoint add http://127.0.0.1:9000/hook",
  {
    endpointUrl: argument("endpoint-url", "Where webhooks are posted"),
    events: option("events", "Event types, separated by commas; all where it is left out"),
    description: option("description", "What it is for"),
    app: applicationOption
  },
  ({ app, description, endpointUrl, events }, { client, json, target }) =>
    Effect.gen(function* () {
      const application = yield* needed("app", app, target)
      const input = { url: endpointUrl, events: itemsOf(events ?? "*"), description }
      yield* printOne(json, yield* client.call("POST", endpointsOf(application), input))
    })
)

const list = leaf(
  "list",
  "List an application's webhook endpoints, newest first",
  { app: applicationOption, limit: limitOption },
  ({ app, limit }, { client, json, target }) =>
    Effect.gen(function* () {
      const application = yield* needed("app", app, target)
      const page = yield* client.list(endpointsOf(application), { limit })
      yield* printList(json, page, ["id", "url", "events", "status", "consecutive_failures", "description"])
    })
)

const test = leaf("test", "Send a test delivery, tried once", { id: endpointId }, ({ id }, { client, json }) =>
  Effect.gen(function* () {
    const delivery = yield* client.call("POST", `${pathOf(id)}/test`)
    yield* printOne(json, delivery)
    if (!json) yield* Console.log(`\nSee what came of it: parley endpoint deliveries ${id}`)
  })
)

const rotate = leaf(
  "rotate",
  "Replace the signing secret: the old one stops working at once",
  { id: endpointId },
  ({ id }, { client, json }) =>
    Effect.flatMap(client.call("POST", `${pathOf(id)}/rotate-secret`), (shown) => printOne(json, shown))
)

const enable = leaf(
  "enable",
  "Enable an endpoint that was disabled: waiting deliveries go on",
  { id: endpointId },
  ({ id }, { client, json }) =>
    Effect.flatMap(client.call("PATCH", pathOf(id), { status: "active" }), (shown) => printOne(json, shown))
)

const deliveries = leaf(
  "deliveries",
  "List an endpoint's deliveries, newest first",
  { id: endpointId, limit: limitOption },
  ({ id, limit }, { client, json }) =>
    Effect.flatMap(client.list(`${pathOf(id)}/deliveries`, { limit }), (page) =>
      printList(json, page, ["id", "event_type", "status", "attempt_count", "created_at", "completed_at"])
    )
)

export const endpoint = Command.make("endpoint").pipe(
  Command.withDescription("Webhook endpoints, and what was delivered to them"),
  Command.withSubcommands([add, list, test, rotate, enable, deliveries, listen])
)

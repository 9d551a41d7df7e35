import { Command } from "@effect/cli"
import { Console, Effect } from "effect"
import { deliveryFields, replay, statusOption } from "./delivery.js"
import { listen } from "./endpointListen.js"
import { recover } from "./endpointRecover.js"
import { applicationOption, argument, itemsOf, leaf, limitOption, needed, option, optionalChoice } from "./leaf.js"
import { printList, printOne } from "./output.js"
import { idOf, pathTo, show, update } from "./resource.js"

const kind = { command: "endpoint", noun: "endpoint", path: "/webhook-endpoints" }
const id = idOf(kind)
const endpointsOf = (application: string) => `/applications/${encodeURIComponent(application)}/webhook-endpoints`

const add = leaf(
  "add",
  "Register a webhook endpoint; its signing secret is shown this once. Example: parley endpoint add https://shop.example.org/hook --events message.delivered,message.failed",
  {
    endpointUrl: argument("url", "Where webhooks are posted"),
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
  "List an application's webhook endpoints, newest first. Example: parley endpoint list --app <id>",
  { app: applicationOption, limit: limitOption },
  ({ app, limit }, { client, json, target }) =>
    Effect.gen(function* () {
      const application = yield* needed("app", app, target)
      const page = yield* client.list(endpointsOf(application), { limit })
      yield* printList(json, page, ["id", "url", "events", "status", "consecutive_failures", "description"])
    })
)

const change = update(
  kind,
  "Change a webhook endpoint; its events are replaced as a whole. Example: parley endpoint update <id> --events message.received,message.failed",
  {
    url: option("url", "Where webhooks are posted"),
    events: option("events", "Event types, separated by commas, or * for all"),
    description: option("description", "What it is for"),
    status: optionalChoice(
      "status",
      ["active", "disabled"],
      "A disabled one is sent nothing; what waits for it is kept"
    )
  },
  ({ description, events, url, status }) => ({
    url,
    events: events === null ? null : itemsOf(events),
    description,
    status
  })
)

const enable = leaf(
  "enable",
  "Enable an endpoint that was disabled: waiting deliveries go on. Example: parley endpoint enable <id>",
  { id },
  ({ id }, { client, json }) =>
    Effect.gen(function* () {
      yield* printOne(json, yield* client.call("PATCH", pathTo(kind, id), { status: "active" }))
      if (!json) {
        yield* Console.error(`\nWhat happened while it was disabled: parley endpoint recover ${id} --since <time>`)
      }
    })
)

const disable = leaf(
  "disable",
  "Disable an endpoint: it is sent nothing, and what waits for it is kept. Example: parley endpoint disable <id>",
  { id },
  ({ id }, { client, json }) =>
    Effect.flatMap(client.call("PATCH", pathTo(kind, id), { status: "disabled" }), (shown) => printOne(json, shown))
)

const remove = leaf(
  "delete",
  "Delete an endpoint: what waits for it fails. Example: parley endpoint delete <id>",
  { id },
  ({ id }, { client, json }) =>
    Effect.flatMap(client.call("DELETE", pathTo(kind, id)), (shown) => printOne(json, shown))
)

const rotate = leaf(
  "rotate",
  "Replace the signing secret: the old one stops working at once. Example: parley endpoint rotate <id>",
  { id },
  ({ id }, { client, json }) =>
    Effect.flatMap(client.call("POST", `${pathTo(kind, id)}/rotate-secret`), (shown) => printOne(json, shown))
)

const test = leaf(
  "test",
  "Send a test delivery, tried once, whatever events the endpoint lists. Example: parley endpoint test <id>",
  { id },
  ({ id }, { client, json }) =>
    Effect.gen(function* () {
      const delivery = yield* client.call("POST", `${pathTo(kind, id)}/test`)
      yield* printOne(json, delivery)
      if (!json) yield* Console.error(`\nSee what came of it: parley delivery show ${delivery.id}`)
    })
)

const deliveries = leaf(
  "deliveries",
  "List an endpoint's deliveries, newest first. Example: parley endpoint deliveries <id> --status failed",
  { id, limit: limitOption, status: statusOption },
  ({ id, limit, status }, { client, json }) =>
    Effect.flatMap(client.list(`${pathTo(kind, id)}/deliveries`, { limit, status }), (page) =>
      printList(json, page, deliveryFields)
    )
)

export const endpoint = Command.make("endpoint").pipe(
  Command.withDescription("Webhook endpoints, and what was delivered to them"),
  Command.withSubcommands([
    add,
    list,
    show(kind),
    change,
    enable,
    disable,
    remove,
    rotate,
    test,
    deliveries,
    replay,
    recover,
    listen
  ])
)

import { Command } from "@effect/cli"
import { Effect } from "effect"
import {
  apiCommand,
  applicationOption,
  argument,
  itemsOf,
  itemsOption,
  limitOption,
  needed,
  option,
  optionalChoice
} from "./apiCommand.js"
import { deliveryFields, replay, statusOption } from "./delivery.js"
import { listen } from "./endpointListen.js"
import { recover } from "./endpointRecover.js"
import { printList, printOne } from "./output.js"
import { act, listBelow, show, update } from "./resource.js"

const kind = { command: "endpoint", noun: "endpoint", path: "/webhook-endpoints" }
const endpointsOf = (application: string) => `/applications/${encodeURIComponent(application)}/webhook-endpoints`

const add = apiCommand(
  "add",
  "Register a webhook endpoint; its signing secret is shown only once. Example: parley endpoint add https://shop.example.org/hook --events message.delivered,message.failed",
  {
    endpointUrl: argument("url", "The URL to which webhooks are posted"),
    events: option("events", "Event types, separated by commas (default: all)"),
    description: option("description", "A description of its use"),
    app: applicationOption
  },
  ({ app, description, endpointUrl, events }, { client, json, target }) =>
    Effect.gen(function* () {
      const application = yield* needed("app", app, target)
      const input = { url: endpointUrl, events: itemsOf(events ?? "*"), description }
      yield* printOne(json, yield* client.call("POST", endpointsOf(application), input))
    })
)

const list = apiCommand(
  "list",
  "List an application's webhook endpoints, or the subscriptions to the events of a workspace, newest first. Example: parley endpoint list --app <id>",
  {
    app: applicationOption,
    workspace: option("workspace", "A workspace, whose own subscriptions are listed"),
    limit: limitOption
  },
  ({ app, limit, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const path =
        workspace === null
          ? endpointsOf(yield* needed("app", app, target))
          : `/workspaces/${encodeURIComponent(workspace)}/webhook-endpoints`
      const page = yield* client.list(path, { limit })
      yield* printList(json, page, ["id", "url", "events", "status", "consecutive_failures", "description"])
    })
)

const change = update(
  kind,
  "Change a webhook endpoint; its events are replaced as a whole. Example: parley endpoint update <id> --events message.received,message.failed",
  {
    url: option("url", "The URL to which webhooks are posted"),
    events: itemsOption("events", "Event types, separated by commas, or * for all"),
    description: option("description", "A description of its use"),
    status: optionalChoice(
      "status",
      ["active", "disabled"],
      "A disabled endpoint gets no webhooks; its pending deliveries are kept"
    )
  }
)

export const endpoint = Command.make("endpoint").pipe(
  Command.withDescription("Webhook endpoints and their deliveries"),
  Command.withSubcommands([
    add,
    list,
    show(kind),
    change,
    act(
      kind,
      "enable",
      "Enable a disabled endpoint: its pending deliveries continue. Example: parley endpoint enable <id>",
      {
        method: "PATCH",
        body: { status: "active" },
        next: (_, id) =>
          `To deliver the events that it missed, run: parley endpoint recover ${id} --since <time>\nTo see when it was disabled, run: parley notification list --kind webhook_endpoint.disabled`
      }
    ),
    act(
      kind,
      "disable",
      "Disable an endpoint: it gets no webhooks, and its pending deliveries are kept. Example: parley endpoint disable <id>",
      { method: "PATCH", body: { status: "disabled" } }
    ),
    act(kind, "delete", "Delete an endpoint: its pending deliveries fail. Example: parley endpoint delete <id>", {
      method: "DELETE"
    }),
    act(
      kind,
      "rotate",
      "Replace the signing secret: the old one stops working at once. Example: parley endpoint rotate <id>",
      { method: "POST", path: "/rotate-secret" }
    ),
    act(
      kind,
      "test",
      "Send a test delivery with a single attempt, regardless of the endpoint's events. Example: parley endpoint test <id>",
      { method: "POST", path: "/test", next: ({ id }) => `To see the result, run: parley delivery show ${id}` }
    ),
    listBelow(
      kind,
      ["deliveries", "/deliveries"],
      "List an endpoint's deliveries, newest first. Example: parley endpoint deliveries <id> --status failed",
      { status: statusOption },
      deliveryFields
    ),
    replay,
    recover,
    listen
  ])
)

import { Command } from "@effect/cli"
import { Console, Effect } from "effect"
import type { Resource } from "./AdminClient.js"
import { apiCommand, argument, limitOption, option, optionalChoice } from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { exitCodes } from "./exitCodes.js"
import { printList, printOne } from "./output.js"

const id = argument("id", "The delivery's id, from parley delivery list")
const pathOf = (id: string) => `/webhook-deliveries/${encodeURIComponent(id)}`

/** The columns of a table of deliveries. */
export const deliveryFields: ReadonlyArray<string> = [
  "id",
  "event_type",
  "status",
  "attempt_count",
  "created_at",
  "next_attempt_at",
  "waiting_for"
]

/** A filter by the status of deliveries. */
export const statusOption = optionalChoice(
  "status",
  ["pending", "delivered", "failed"],
  "Only deliveries with this status"
)

const list = apiCommand(
  "list",
  "List the deliveries of a message, an event, an attempt or an endpoint, newest first. Example: parley delivery list --message <id> Example: parley delivery list --endpoint <id> --status failed --all",
  {
    message: option("message", "Only deliveries of this message's events"),
    event: option("event", "Only deliveries of this event: an X-Webhook-ID"),
    attempt: option("attempt", "Only the delivery of this attempt: an X-Delivery-ID"),
    endpoint: option("endpoint", "Only deliveries to this endpoint"),
    status: statusOption,
    limit: limitOption
  },
  ({ attempt, endpoint, event, limit, message, status }, { client, json }) =>
    [attempt, endpoint, event, message].every((given) => given === null)
      ? new CommandFailed({
          message: "Give a filter: --message, --event, --attempt or --endpoint <id>",
          code: exitCodes.misused
        })
      : Effect.flatMap(
          client.list("/webhook-deliveries", {
            limit,
            status,
            message_id: message,
            event_id: event,
            attempt_id: attempt,
            endpoint_id: endpoint
          }),
          (page) => printList(json, page, deliveryFields)
        )
)

/** Prints a delivery, and a table of its attempts. */
const print = (json: boolean, delivery: Resource): Effect.Effect<void, CommandFailed> => {
  if (json) return printOne(json, delivery)
  const { attempts, ...rest } = delivery
  const rows = attempts as ReadonlyArray<Resource>
  return Effect.gen(function* () {
    yield* printOne(json, rest)
    if (rows.length === 0) return
    yield* Console.log("")
    yield* printList(json, { rows, hasMore: false }, [
      "number",
      "started_at",
      "duration_ms",
      "status",
      "error",
      "answer",
      "id"
    ])
  })
}

const show = apiCommand(
  "show",
  "Show one delivery with every attempt. Example: parley delivery show <id>",
  { id },
  ({ id }, { client, json }) => Effect.flatMap(client.call("GET", pathOf(id)), (delivery) => print(json, delivery))
)

/** Replays a delivery. */
export const replay = apiCommand(
  "replay",
  "Send a delivery again now, with the same event id and a new retry schedule. Example: parley delivery replay <id>",
  { id },
  ({ id }, { client, json }) =>
    Effect.gen(function* () {
      yield* print(json, yield* client.call("POST", `${pathOf(id)}/replay`))
      if (!json) yield* Console.error(`\nTo see the result, run: parley delivery show ${id}`)
    })
)

export const delivery = Command.make("delivery").pipe(
  Command.withDescription("Webhook deliveries and their attempts"),
  Command.withSubcommands([list, show, replay])
)

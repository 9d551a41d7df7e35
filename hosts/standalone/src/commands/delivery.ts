import { Command } from "@effect/cli"
import { Console, Effect } from "effect"
import type { Resource } from "./AdminClient.js"
import { CommandFailed } from "./CommandFailed.js"
import { exitCodes } from "./exitCodes.js"
import { argument, leaf, limitOption, option, optionalChoice } from "./leaf.js"
import { printList, printOne } from "./output.js"

const id = argument("id", "The delivery's id, as parley delivery list shows it")
const pathOf = (id: string) => `/webhook-deliveries/${encodeURIComponent(id)}`

/** What a table of deliveries has. */
export const deliveryFields: ReadonlyArray<string> = [
  "id",
  "event_type",
  "status",
  "attempt_count",
  "created_at",
  "next_attempt_at",
  "waiting_for"
]

/** Only deliveries with a status. */
export const statusOption = optionalChoice("status", ["pending", "delivered", "failed"], "Only those with this status")

const list = leaf(
  "list",
  "Find deliveries by what they are about or where they go, newest first. Example: parley delivery list --message <id> Example: parley delivery list --endpoint <id> --status failed --all",
  {
    message: option("message", "Only those of this message's events"),
    event: option("event", "Only those of this event: an X-Webhook-ID"),
    attempt: option("attempt", "Only the one that this attempt was at: an X-Delivery-ID"),
    endpoint: option("endpoint", "Only those to this endpoint"),
    status: statusOption,
    limit: limitOption
  },
  ({ attempt, endpoint, event, limit, message, status }, { client, json }) =>
    [attempt, endpoint, event, message].every((given) => given === null)
      ? new CommandFailed({
          message: "Say which: --message, --event, --attempt or --endpoint <id>",
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

/** One delivery, and its attempts in a table of their own. */
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

const show = leaf(
  "show",
  "Show one delivery with every attempt. Example: parley delivery show <id>",
  { id },
  ({ id }, { client, json }) => Effect.flatMap(client.call("GET", pathOf(id)), (delivery) => print(json, delivery))
)

/** Sends one delivery again. */
export const replay = leaf(
  "replay",
  "Send a delivery again, now, with the same event id and the schedule anew. Example: parley delivery replay <id>",
  { id },
  ({ id }, { client, json }) =>
    Effect.gen(function* () {
      yield* print(json, yield* client.call("POST", `${pathOf(id)}/replay`))
      if (!json) yield* Console.error(`\nSee what came of it: parley delivery show ${id}`)
    })
)

export const delivery = Command.make("delivery").pipe(
  Command.withDescription("Webhook deliveries and their attempts"),
  Command.withSubcommands([list, show, replay])
)

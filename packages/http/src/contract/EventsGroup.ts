import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { BusinessEventInput, component } from "@parley/core"
import { Schema } from "effect"
import { IdempotencyKey } from "./IdempotencyKey.js"
import { Raises, refusedWrites } from "./Raises.js"
import { RequiredScopes } from "./RequiredScopes.js"
import { single } from "./single.js"

/** Response to an event (docs/reference/events.md#business-events). */
export const EventAcknowledgement = component("EventAcknowledgement", "Acknowledgement of an event.", {
  workflows_matched: Schema.Int.pipe(Schema.nonNegative()).annotations({
    description: "How many published workflows listen for exactly this name."
  })
})

/** Business events, which start automations (docs/reference/events.md#matching-workflows). */
export const EventsGroup = HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.post("send")`/events`
      .setHeaders(IdempotencyKey)
      .setPayload(BusinessEventInput)
      .addSuccess(single(EventAcknowledgement), { status: 202 })
      .annotate(RequiredScopes, ["events.send"])
      .annotate(Raises, refusedWrites)
      .annotate(OpenApi.Summary, "Post a named business event")
      .annotate(
        OpenApi.Description,
        "An Idempotency-Key that started a workflow once counts as its dedupe key for ever."
      )
  )
  .annotate(OpenApi.Title, "Events")
  .annotate(OpenApi.Description, "Named business events of your system, which start workflows.")

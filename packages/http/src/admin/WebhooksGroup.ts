import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  DeliveryListQuery,
  DeliveryResource,
  EndpointDeliveryListQuery,
  EndpointInput,
  EndpointPatch,
  EndpointResource,
  EndpointWithSecretResource,
  ListedDeliveryResource,
  ListQuery,
  MessageWebhooksResource,
  RecoveredResource,
  RecoverInput
} from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { ShowsSecret } from "../contract/IdempotencyKey.js"
import { pathId } from "../contract/pathId.js"
import { Raises } from "../contract/Raises.js"
import { single } from "../contract/single.js"

const id = pathId("id", "resource")

/** Webhook endpoints and their deliveries (docs/reference/administration.md#webhook-endpoints-and-deliveries). */
export const WebhooksGroup = HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.post("create")`/applications/${id}/webhook-endpoints`
      .setPayload(EndpointInput)
      .addSuccess(single(EndpointWithSecretResource), { status: 201 })
      .annotate(Raises, ["forbidden"])
      .annotate(ShowsSecret, true)
      .annotate(OpenApi.Summary, "Register a webhook endpoint; its secret is shown this once")
  )
  .add(
    HttpApiEndpoint.get("list")`/applications/${id}/webhook-endpoints`
      .setUrlParams(ListQuery)
      .addSuccess(cursorPage(EndpointResource))
      .annotate(OpenApi.Summary, "List an application's webhook endpoints, newest first")
  )
  .add(
    HttpApiEndpoint.get("listOfWorkspace")`/workspaces/${id}/webhook-endpoints`
      .setUrlParams(ListQuery)
      .addSuccess(cursorPage(EndpointResource))
      .annotate(OpenApi.Summary, "List the subscriptions to the events of a whole workspace, newest first")
  )
  .add(
    HttpApiEndpoint.get("get")`/webhook-endpoints/${id}`
      .addSuccess(single(EndpointResource))
      .annotate(OpenApi.Summary, "Read one webhook endpoint")
  )
  .add(
    HttpApiEndpoint.patch("update")`/webhook-endpoints/${id}`
      .setPayload(EndpointPatch)
      .addSuccess(single(EndpointResource))
      .annotate(OpenApi.Summary, "Change a webhook endpoint, disable or enable it")
  )
  .add(
    HttpApiEndpoint.del("remove")`/webhook-endpoints/${id}`
      .addSuccess(single(EndpointResource))
      .annotate(OpenApi.Summary, "Delete a webhook endpoint")
  )
  .add(
    HttpApiEndpoint.post("rotateSecret")`/webhook-endpoints/${id}/rotate-secret`
      .addSuccess(single(EndpointWithSecretResource))
      .annotate(ShowsSecret, true)
      .annotate(OpenApi.Summary, "Replace the signing secret: the old one stops working at once")
  )
  .add(
    HttpApiEndpoint.post("test")`/webhook-endpoints/${id}/test`
      .addSuccess(single(DeliveryResource), { status: 201 })
      .annotate(Raises, ["forbidden", "invalid_transition"])
      .annotate(OpenApi.Summary, "Send a test delivery, without retries")
  )
  .add(
    HttpApiEndpoint.post("recover")`/webhook-endpoints/${id}/recover`
      .setPayload(RecoverInput)
      .addSuccess(single(RecoveredResource))
      .annotate(Raises, ["forbidden", "invalid_transition"])
      .annotate(OpenApi.Summary, "Deliver every event since a time that the endpoint has not received")
  )
  .add(
    HttpApiEndpoint.get("listDeliveries")`/webhook-endpoints/${id}/deliveries`
      .setUrlParams(EndpointDeliveryListQuery)
      .addSuccess(cursorPage(ListedDeliveryResource))
      .annotate(OpenApi.Summary, "List an endpoint's deliveries, newest first")
  )
  .add(
    HttpApiEndpoint.get("findDeliveries")`/webhook-deliveries`
      .setUrlParams(DeliveryListQuery)
      .addSuccess(cursorPage(ListedDeliveryResource))
      .annotate(OpenApi.Summary, "Find deliveries by message, event, attempt or endpoint, newest first")
  )
  .add(
    HttpApiEndpoint.get("getDelivery")`/webhook-deliveries/${id}`
      .addSuccess(single(DeliveryResource))
      .annotate(OpenApi.Summary, "Read one delivery with every attempt")
  )
  .add(
    HttpApiEndpoint.post("replay")`/webhook-deliveries/${id}/replay`
      .addSuccess(single(DeliveryResource))
      .annotate(Raises, ["forbidden", "invalid_transition"])
      .annotate(OpenApi.Summary, "Send a delivery again, with the same event id")
  )
  .add(
    HttpApiEndpoint.get("ofMessage")`/messages/${id}/webhooks`
      .addSuccess(single(MessageWebhooksResource))
      .annotate(OpenApi.Summary, "Explain the webhooks of a message at every endpoint")
  )
  .annotate(OpenApi.Title, "Webhooks")
  .annotate(OpenApi.Description, "Endpoints that receive the events of applications, and the deliveries to them.")

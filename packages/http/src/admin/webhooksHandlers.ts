import {
  AdminDeliveries,
  AdminEndpoints,
  deliveryResource,
  type EndpointWithSecret,
  endpointResource,
  listedDeliveryResource,
  messageWebhooksResource
} from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { WebhooksGroup } from "./WebhooksGroup.js"

/** Implements the group `webhooks` of the contract. */
export const webhooksHandlers: Effect.Effect<
  GroupHandlers<typeof WebhooksGroup, Administrator>,
  never,
  AdminEndpoints | AdminDeliveries
> = Effect.gen(function* () {
  const endpoints = yield* AdminEndpoints
  const deliveries = yield* AdminDeliveries
  return {
    create: ({ path, body }) => Effect.map(endpoints.create(path.id, body), shown),
    list: ({ path, query, url }) =>
      Effect.map(endpoints.list(path.id, query), (page) => pageOf(url, page, endpointResource)),
    listOfWorkspace: ({ path, query, url }) =>
      Effect.map(endpoints.listOfWorkspace(path.id, query), (page) => pageOf(url, page, endpointResource)),
    get: ({ path }) => Effect.map(endpoints.get(path.id), (row) => ({ data: endpointResource(row) })),
    update: ({ path, body }) => Effect.map(endpoints.update(path.id, body), (row) => ({ data: endpointResource(row) })),
    remove: ({ path }) => Effect.map(endpoints.remove(path.id), (row) => ({ data: endpointResource(row) })),
    rotateSecret: ({ path }) => Effect.map(endpoints.rotateSecret(path.id), shown),
    test: ({ path }) => Effect.map(endpoints.test(path.id), (known) => ({ data: deliveryResource(known) })),
    recover: ({ path, body }) => Effect.map(endpoints.recover(path.id, body), (data) => ({ data })),
    listDeliveries: ({ path, query, url }) =>
      Effect.map(deliveries.listOfEndpoint(path.id, query), (page) => pageOf(url, page, listedDeliveryResource)),
    findDeliveries: ({ query, url }) =>
      Effect.map(deliveries.list(query), (page) => pageOf(url, page, listedDeliveryResource)),
    getDelivery: ({ path }) => Effect.map(deliveries.get(path.id), (known) => ({ data: deliveryResource(known) })),
    replay: ({ path }) => Effect.map(deliveries.replay(path.id), (known) => ({ data: deliveryResource(known) })),
    ofMessage: ({ path }) =>
      Effect.map(deliveries.ofMessage(path.id), (webhooks) => ({ data: messageWebhooksResource(webhooks) }))
  }
})

const shown = ({ endpoint, secret }: EndpointWithSecret) => ({ data: { ...endpointResource(endpoint), secret } })

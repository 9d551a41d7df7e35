import {
  AdminApiKeys,
  AdminApplications,
  AdminOAuthClients,
  applicationResource,
  type IssuedApiKey,
  type IssuedOAuthClient
} from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { ApplicationsGroup } from "./ApplicationsGroup.js"
import type { Administrator } from "./adminAdmission.js"

/** Implements the group `applications` of the contract. */
export const applicationsHandlers: Effect.Effect<
  GroupHandlers<typeof ApplicationsGroup, Administrator>,
  never,
  AdminApplications | AdminApiKeys | AdminOAuthClients
> = Effect.gen(function* () {
  const applications = yield* AdminApplications
  const keys = yield* AdminApiKeys
  const clients = yield* AdminOAuthClients
  return {
    create: ({ body }) => Effect.map(applications.create(body), (row) => ({ data: applicationResource(row) })),
    list: ({ query, url }) => Effect.map(applications.list(query), (page) => pageOf(url, page, applicationResource)),
    get: ({ path }) => Effect.map(applications.get(path.id), (row) => ({ data: applicationResource(row) })),
    update: ({ path, body }) =>
      Effect.map(applications.update(path.id, body), (row) => ({ data: applicationResource(row) })),
    issueKey: ({ path }) => Effect.map(keys.issue(path.id), shown),
    listKeys: ({ path, query, url }) =>
      Effect.map(keys.list(path.id, query), (page) => pageOf(url, page, (apiKey) => apiKey)),
    rotateKey: ({ path }) => Effect.map(keys.rotate(path.id, path.key_id), shown),
    revokeKey: ({ path }) => Effect.map(keys.revoke(path.id, path.key_id), (data) => ({ data })),
    issueClient: ({ path }) => Effect.map(clients.issue(path.id), withSecret),
    listClients: ({ path, query, url }) =>
      Effect.map(clients.list(path.id, query), (page) => pageOf(url, page, (client) => client)),
    rotateClient: ({ path }) => Effect.map(clients.rotate(path.id, path.client), withSecret),
    revokeClient: ({ path }) => Effect.map(clients.revoke(path.id, path.client), (data) => ({ data }))
  }
})

const shown = ({ apiKey, key }: IssuedApiKey) => ({ data: { ...apiKey, key } })

const withSecret = ({ client, secret }: IssuedOAuthClient) => ({ data: { ...client, clientSecret: secret } })

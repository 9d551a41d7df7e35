import { type Changes, changes, hashOf, row, scopes } from "@parley/core"
import { aConnection, anApiKey, anApplication, anEndpoint, aWorkspace } from "@parley/testkit/rows"
import type { World } from "../audit/Journal.js"

/** The tenants of every history: two workspaces with two applications, two connections and three endpoints each. */

const id = (kind: number, n: number) => `01900000-0000-7000-8${kind}00-${n.toString(16).padStart(12, "0")}`

const numbers = [1, 2] as const

const keyOf = (n: number, a: number) => `parley_${modeOf(n, a)}_${`application${n}${a}`.padEnd(32, "0")}`
const modeOf = (n: number, a: number) => (n === 1 && a === 2 ? "test" : "live")

/** The bearer token of each application, by its name in the journal. */
export const apiKeys: ReadonlyMap<string, string> = new Map(
  numbers.flatMap((n) => numbers.map((a) => [`application ${n}.${a}`, keyOf(n, a)] as const))
)

/** Kinds of the simulated vendors; see `vendorProvider`. */
export const vendorKinds = ["dedupes", "once"] as const

/** Limits of the files of one message: the vendor that does not dedupe takes one file. */
export const fileLimits = {
  dedupes: { count: 2, captionLength: 4_096 },
  once: { count: 1, captionLength: 500 }
} as const

/** Low enough that some histories reach them. */
const limits = { requestsPerMinute: 60, sendsPerMinute: 20 }

const applicationId = (n: number, a: number) => id(2, n * 16 + a)
const connectionId = (n: number, c: number) => id(3, n * 16 + c)
const endpointId = (n: number, a: number, e: number) => id(4, n * 256 + a * 16 + e)

/**
 * Each workspace has four connections, two of them on a vendor that dedupes and two on one that does not. In the first
 * workspace one application is live, the other one is for tests, and each has two connections. In the second one both
 * applications are live and share the connections.
 */
const connections = numbers.flatMap((n) =>
  numbers.flatMap((a) =>
    vendorKinds.map((kind, k) => ({
      id: connectionId(n, a * 2 + k),
      workspace: n,
      application: a,
      kind,
      channel: kind === "dedupes" ? ("whatsapp" as const) : ("telegram" as const),
      unknownSends: n === 2 && kind === "once" ? ("resend" as const) : ("hold" as const)
    }))
  )
)

const connectionIdsOf = (n: number, a: number) =>
  connections.filter((one) => one.workspace === n && (n === 2 || one.application === a)).map((one) => one.id)

const endpoints = numbers.flatMap((n) =>
  numbers.flatMap((a) =>
    (a === 1 ? [1, 2] : [1]).map((e) => ({
      id: endpointId(n, a, e),
      workspace: n,
      application: a,
      secret: `whsec_${Buffer.from(`secret of endpoint ${n}.${a}.${e}`.padEnd(32, "0")).toString("base64")}`,
      url: `https://receiver-${n}-${a}-${e}.test/webhooks`,
      events: e === 2 ? (["message.received", "message.sent", "message.failed"] as const) : []
    }))
  )
)

/** The rows of the tenants, as one commit for each workspace. */
export const tenantChanges: ReadonlyArray<Changes> = numbers.map((n) =>
  changes(id(1, n), {
    claims: numbers.map((a) =>
      row(
        "apiKeys",
        anApiKey({
          id: id(7, n * 16 + a),
          workspaceId: id(1, n),
          applicationId: applicationId(n, a),
          hash: hashOf(keyOf(n, a))
        })
      )
    ),
    inserts: [
      row("workspaces", aWorkspace({ id: id(1, n), name: `Workspace ${n}` })),
      ...numbers.map((a) =>
        row(
          "applications",
          anApplication({
            id: applicationId(n, a),
            workspaceId: id(1, n),
            mode: modeOf(n, a),
            scopes,
            ...limits,
            connectionIds: connectionIdsOf(n, a)
          })
        )
      ),
      ...connections
        .filter((one) => one.workspace === n)
        .map((one) =>
          row(
            "connections",
            aConnection({
              id: one.id,
              workspaceId: id(1, n),
              channel: one.channel,
              provider: one.kind,
              handle: `business-${one.id.slice(-4)}`,
              isTest: modeOf(n, one.application) === "test",
              config: one.unknownSends === "resend" ? { unknown_outcome: "resend" } : {}
            })
          )
        ),
      ...endpoints
        .filter((one) => one.workspace === n)
        .map((one) =>
          row(
            "endpoints",
            anEndpoint({
              id: one.id,
              workspaceId: id(1, n),
              applicationId: applicationId(n, one.application),
              url: one.url,
              secret: one.secret,
              events: one.events.length === 0 ? ["*"] : one.events
            })
          )
        )
    ]
  })
)

/** The tenants as the journal names them. */
export const worldAt = (at: number): World => ({
  kind: "world",
  at,
  workspaces: numbers.map((n) => ({ id: id(1, n) })),
  applications: numbers.flatMap((n) =>
    numbers.map((a) => ({
      name: `application ${n}.${a}`,
      id: applicationId(n, a),
      workspaceId: id(1, n),
      limits,
      connectionIds: connectionIdsOf(n, a)
    }))
  ),
  connections: connections.map((one) => ({
    id: one.id,
    workspaceId: id(1, one.workspace),
    channel: one.channel,
    dedupes: one.kind === "dedupes",
    unknownSends: one.unknownSends,
    receipts: ["delivered", "read"] as const,
    files: fileLimits[one.kind]
  })),
  endpoints: endpoints.map((one) => ({
    id: one.id,
    applicationId: applicationId(one.workspace, one.application),
    url: one.url,
    events: one.events,
    secret: one.secret
  }))
})

import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { aConnection } from "@parley/testkit/rows"
import { Effect } from "effect"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import { InboundEvent } from "../../../src/model/InboundEvent.js"
import { changes, expect as expects, row, set } from "../../../src/ports/Changes.js"
import { Ids } from "../../../src/ports/Ids.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import { engine, newTenant, type Tenant } from "../../harness.js"

const notice = (given: Partial<InboundEvent & { readonly _tag: "AccountNotice" }> = {}) =>
  InboundEvent.AccountNotice({ message: "The limits changed.", at: 1_000, ...given })
const disabled = notice({
  message: "The account is disabled.",
  concerns: { account: "7" },
  refusal: { providerCode: "DISABLE", providerMessage: "The account is disabled." }
})

const take = ({ connection }: Tenant, ...events: ReadonlyArray<InboundEvent>) =>
  Effect.flatMap(Inbound, (inbound) => inbound.take(connection, events))

const found = ({ workspace: { id: workspaceId } }: Tenant) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const { connections, notifications } = yield* storage.read({
      connections: lookup("connections", { workspaceId }),
      notifications: lookup("notifications", { workspaceId })
    })
    const where = { workspaceId } as never
    const audit = yield* storage.list({ from: "auditLog", where, after: null, limit: 100 })
    return {
      statuses: new Map(connections.map(({ id, status }) => [id, status])),
      notifications: notifications.map(({ kind, message, subjectId }) => ({ kind, message, subjectId })),
      audit: audit.map(({ action, actor, subjectId }) => ({ action, actor, subjectId }))
    }
  })

/** Two further connections: one of the same account, one of another. */
const withSiblings = (tenant: Tenant) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const ids = yield* Ids
    const [sibling, other] = ["7", "8"].map((account) =>
      aConnection({ ...tenant.connection, id: ids.next(1_700_000_000_000), handle: account, config: { account } })
    )
    if (sibling === undefined || other === undefined) throw new Error("no connections")
    yield* storage.commit(
      changes(tenant.workspace.id, { inserts: [row("connections", sibling), row("connections", other)] })
    )
    return { sibling, other }
  })

for (const [name, storage] of databases) {
  layer(engine(storage, 30_000), { excludeTestServices: true, timeout: 60_000 })(
    `news of a vendor about the account on ${name}`,
    (it) => {
      it.effect("reach the administrators and the audit log, once", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { id } = tenant.connection
          yield* take(tenant, notice(), notice({ message: "A name was approved." }))
          yield* take(tenant, notice())
          const { audit, notifications, statuses } = yield* found(tenant)
          const reported = { kind: "connection.news", subjectId: id }
          const text = `News of the whatsapp connection ${tenant.connection.name}:`
          expect(notifications).toHaveLength(2)
          expect(notifications).toEqual(
            expect.arrayContaining([
              { ...reported, message: `${text} The limits changed.` },
              { ...reported, message: `${text} A name was approved.` }
            ])
          )
          expect(audit).toEqual([1, 2].map(() => ({ action: "connection.news", actor: "engine", subjectId: id })))
          expect(statuses.get(id)).toBe("active")
        })
      )

      it.effect("disconnect the connections of an account that the vendor refuses, once", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { other, sibling } = yield* withSiblings(tenant)
          const { id } = tenant.connection
          yield* take(tenant, disabled)
          const after = yield* found(tenant)
          expect([id, sibling.id, other.id].map((one) => after.statuses.get(one))).toEqual([
            ...["disconnected", "disconnected", "active"]
          ])
          expect(after.notifications.map(({ kind }) => kind).sort()).toEqual([
            ...["connection.disconnected", "connection.disconnected", "connection.news"]
          ])
          const { commit } = yield* Storage
          yield* commit(
            changes(tenant.workspace.id, {
              expects: [expects("connections", { id })],
              sets: [set("connections", { id }, { status: "active" })]
            })
          )
          yield* take(tenant, disabled)
          const again = yield* found(tenant)
          expect(again.statuses.get(id)).toBe("active")
          expect(again.notifications).toHaveLength(3)
        })
      )

      it.effect("disconnect only the connection that got them if they do not name others", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { sibling } = yield* withSiblings(tenant)
          const refusal = { providerCode: "block", providerMessage: "Blocked." }
          yield* take(tenant, notice({ refusal }))
          const { statuses } = yield* found(tenant)
          expect(statuses.get(tenant.connection.id)).toBe("disconnected")
          expect(statuses.get(sibling.id)).toBe("active")
        })
      )
    }
  )
}

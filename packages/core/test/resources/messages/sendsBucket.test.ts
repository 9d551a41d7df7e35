import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Effect } from "effect"
import { failingCommits } from "../../failingCommits.js"
import { engine, newTenant, send } from "../../harness.js"

const to = "+491701000012"

/** A tenant with this limit of sends per minute. */
const limitedTo = (sendsPerMinute: number) =>
  Effect.map(newTenant, (tenant) => {
    const application = { ...tenant.caller.application, sendsPerMinute }
    return { ...tenant, caller: { ...tenant.caller, application } }
  })

for (const [name, storage] of databases) {
  const { failAt, over } = failingCommits()
  layer(engine(over(storage)), { excludeTestServices: true })(`the sends bucket on ${name}`, (it) => {
    it.effect("accepts no more sends than its limit", () =>
      Effect.gen(function* () {
        const tenant = yield* limitedTo(5)
        const all = yield* Effect.all(
          Array.from({ length: 12 }, (_, i) => Effect.either(send(tenant, to, `bucket-${i}`))),
          { concurrency: "unbounded" }
        )
        expect(all.filter((one) => one._tag === "Right")).toHaveLength(5)
        for (const one of all) if (one._tag === "Left") expect(one.left).toMatchObject({ code: "rate_limited" })
        expect(yield* Effect.flip(send(tenant, to, "one more"))).toMatchObject({ code: "rate_limited" })
      })
    )

    it.effect("does not count a send that the storage refused", () =>
      Effect.gen(function* () {
        const tenant = yield* limitedTo(1)
        failAt(new Map([[0, "before"]]))
        expect(yield* Effect.flip(send(tenant, to, "refused"))).toMatchObject({ _tag: "StorageUnavailable" })
        expect(yield* send(tenant, to, "accepted")).toMatchObject({ status: 202 })
        expect(yield* Effect.flip(send(tenant, to, "one more"))).toMatchObject({ code: "rate_limited" })
      })
    )

    it.effect("does not count replays, conflicts and invalid bodies", () =>
      Effect.gen(function* () {
        const tenant = yield* limitedTo(2)
        yield* send(tenant, to, "first")
        for (const _ of [1, 2]) {
          expect(yield* send(tenant, to, "first")).toMatchObject({ replayed: true })
          const other = yield* Effect.flip(send(tenant, to, "first", "other"))
          expect(other).toMatchObject({ code: "idempotency_conflict" })
          const refused = yield* Effect.flip(send(tenant, "not a number", "refused"))
          expect(refused).toMatchObject({ code: "validation_failed" })
        }
        expect(yield* send(tenant, to, "second")).toMatchObject({ status: 202, replayed: false })
        expect(yield* Effect.flip(send(tenant, to, "third"))).toMatchObject({ code: "rate_limited" })
        expect(yield* send(tenant, to, "second")).toMatchObject({ replayed: true })
      })
    )
  })
}

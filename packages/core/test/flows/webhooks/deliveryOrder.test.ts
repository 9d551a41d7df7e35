import { expect, it } from "@effect/vitest"
import { aDelivery, anEndpoint } from "@parley/testkit/rows"
import { Effect } from "effect"
import { describe } from "vitest"
import { enqueueNext, loadOrder, turnOf } from "../../../src/flows/webhooks/deliveryOrder.js"
import type { Delivery, OrderState } from "../../../src/model/Delivery.js"
import type { Page } from "../../../src/ports/filters.js"
import type { Lookups, Storage } from "../../../src/ports/Storage.js"

const id = (n: number) => `01900000-0000-7000-8000-00000000000${n}`
const endpoint = anEndpoint({ id: id(9), url: "subscription:notes" })

/** The delivery of the n-th event of a conversation. */
const delivery = (n: number, orderState: OrderState): Delivery =>
  aDelivery({ id: id(n), eventId: id(n), endpointId: endpoint.id, status: "pending", orderKey: id(8), orderState })

/** What reads of these deliveries find; none of their jobs is leased. */
const reader = (deliveries: ReadonlyArray<Delivery>) =>
  ({
    read: (lookups: Lookups) =>
      Effect.succeed(
        Object.fromEntries(
          Object.entries(lookups).map(([name]) => [name, deliveries.filter(({ orderState }) => orderState === name)])
        )
      ),
    list: ({ oldestFirstBy }: Page<"deliveries">) => {
      expect(oldestFirstBy).toBe("eventId")
      return Effect.succeed(deliveries.filter(({ orderState }) => orderState === "waiting"))
    }
  }) as unknown as Pick<Storage, "list" | "read">

const turnIn = (deliveries: ReadonlyArray<Delivery>, one: Delivery) =>
  Effect.map(loadOrder(reader(deliveries), one, new Set([one.id]), 0), (order) => turnOf(one, order, endpoint, 0))

const statesOf = (turn: ReturnType<typeof turnOf>) =>
  turn.changes.flatMap(({ sets = [] }) => sets.map(({ key, values }) => [Object.values(key)[0], values]))

describe("an ordered delivery", () => {
  it.effect("starts if no other is pending", () =>
    Effect.gen(function* () {
      expect(yield* turnIn([delivery(1, "open")], delivery(1, "open"))).toEqual({ starts: true, changes: [] })
    })
  )
  it.effect("waits for the earliest of those before it", () =>
    Effect.gen(function* () {
      const all = [delivery(2, "open"), delivery(3, "open"), delivery(1, "open")]
      const turn = yield* turnIn(all, delivery(3, "open"))
      expect(turn.starts).toBe(false)
      expect(statesOf(turn)).toEqual([
        [id(3), { orderState: "waiting" }],
        [id(1), { orderState: "followed" }]
      ])
    })
  )
  it.effect("does not pass an earlier one that waits for a later one", () =>
    Effect.gen(function* () {
      const all = [delivery(1, "waiting"), delivery(2, "open"), delivery(3, "followed")]
      const turn = yield* turnIn(all, delivery(2, "open"))
      expect(turn.starts).toBe(false)
      expect(statesOf(turn)).toEqual([
        [id(2), { orderState: "waiting" }],
        [id(1), { orderState: "followed" }]
      ])
      expect(turn.changes.flatMap(({ ensures = [] }) => ensures)).toMatchObject([{ table: "jobs", row: { id: id(1) } }])
    })
  )
  it("gets no job at a deleted endpoint, unless that is made again", () => {
    const deleted = enqueueNext(delivery(1, "waiting"), { ...endpoint, status: "deleted" }, 0)
    expect(deleted).toEqual({
      expects: [expect.objectContaining({ table: "endpoints", where: { status: "deleted" } })]
    })
  })
})

import { createTestParley } from "@parley/embed/testing"
import { afterEach, beforeEach, expect, it } from "vitest"
import { startReminders } from "./reminders.js"

let parley: Awaited<ReturnType<typeof createTestParley>>
beforeEach(async () => {
  parley = await createTestParley()
})
afterEach(() => parley.close())

it("thanks a customer who writes", async () => {
  const { deskId } = await startReminders(parley)
  await parley.receive(deskId, { from: "+4915112345678", body: "Where is my order?" })
  expect(parley.sent).toMatchObject([{ to: "+4915112345678", body: "Thank you! We answer soon." }])
})

it("reminds of a cart after two hours", async () => {
  const { deskId, shop } = await startReminders(parley)
  await parley.receive(deskId, { from: "+4915112345678", body: "Hi" })
  parley.forget()
  await shop.events.send({
    event: "cart.abandoned",
    identity: { channel: "whatsapp", external_id: "+4915112345678" },
    data: { title: "Cake" }
  })
  await parley.advance("119 minutes")
  expect(parley.sent).toEqual([])
  await parley.advance("1 minute")
  expect(parley.sent).toMatchObject([{ body: "Cake is waiting in your cart." }])
})

it("tries again when the number is busy", async () => {
  const { deskId } = await startReminders(parley)
  // The sandbox throttles the first send to numbers that end in 0002.
  await parley.receive(deskId, { from: "+4915112340002", body: "Hi" })
  await parley.advance("1 second")
  expect(parley.sent.map(({ attempt }) => attempt)).toEqual([1, 2])
})

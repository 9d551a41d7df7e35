import assert from "node:assert/strict"
import { test } from "node:test"
import { createTestParley } from "@parley/embed/testing"
import { startReminders } from "./reminders.js"

test("reminds of a cart after two hours", async () => {
  const parley = await createTestParley()
  try {
    const { deskId, shop } = await startReminders(parley)
    await parley.receive(deskId, { from: "+4915112345678", body: "Hi" })
    parley.forget()
    await shop.events.send({
      event: "cart.abandoned",
      identity: { channel: "whatsapp", external_id: "+4915112345678" },
      data: { title: "Cake" }
    })
    await parley.advance("2 hours")
    assert.deepEqual(
      parley.sent.map(({ body }) => body),
      ["Cake is waiting in your cart."]
    )
  } finally {
    await parley.close()
  }
})

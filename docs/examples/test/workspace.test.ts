import { createParley } from "@parley/embed"
import { sandbox } from "@parley/embed/sandbox"
import { expect, it, vi } from "vitest"
import { shop, startShop } from "../workspace.js"

it("the declared workspace is made once, and its application sends", async () => {
  const parley = await createParley({
    storage: { url: "sqlite::memory:" },
    channels: [sandbox()],
    logLevel: "warn"
  })
  const printed = vi.spyOn(console, "log").mockImplementation(() => {})
  try {
    const { messages } = await startShop(parley)
    expect(printed.mock.calls.flat()).toContain("applications.shop was missing")
    printed.mockClear()
    await startShop(parley)
    expect(printed).not.toHaveBeenCalled()
    const { data } = await messages.send({
      channel: "email",
      to: "ada@example.com",
      type: "text",
      message: { body: "Hello" }
    })
    expect(data.status).toBe("queued")
    const { differences } = await parley.setup({ ...shop, templates: {} }, { onDrift: "list" })
    expect(differences).toMatchObject([{ part: "templates.shipped", kind: "undeclared" }])
  } finally {
    printed.mockRestore()
    await parley.close()
  }
})

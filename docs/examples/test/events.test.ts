import { expect, it, vi } from "@effect/vitest"
import { createParley } from "@parley/embed"
import { sandbox } from "@parley/embed/sandbox"
import { printReceived } from "../events.js"
import { firstKey } from "../firstKey.js"

it("the example prints what customers write", async () => {
  const parley = await createParley({
    storage: { url: "sqlite::memory:" },
    channels: [sandbox()],
    logLevel: "warn"
  })
  try {
    await firstKey(parley)
    const first = async (path: string) =>
      (await parley.admin.request<{ data: ReadonlyArray<{ id: string }> }>("GET", path)).data[0]?.id as string
    const workspace = await first("/workspaces")
    const application = await first(`/applications?workspace_id=${workspace}`)
    const connection = await first(`/connections?workspace_id=${workspace}`)
    const lines: Array<string> = []
    await printReceived(parley, application, (line) => lines.push(line))
    await parley.admin.request("POST", `/connections/${connection}/simulate-inbound`, {
      from: "ada@example.com",
      body: "Where is my order?"
    })
    await vi.waitFor(() => expect(lines).toEqual(["received: Where is my order?"]), { timeout: 60_000 })
  } finally {
    await parley.close()
  }
})

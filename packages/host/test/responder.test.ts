import { expect, it } from "vitest"
import type { ParleyOptions } from "../src/index.js"
import { withParley } from "./shop.js"

/** A customer writes to a bot without steps. Returns the texts of outbound messages once `isTold` accepts them. */
const reported = async (options: Partial<ParleyOptions>, isTold: (bodies: ReadonlyArray<string>) => boolean) => {
  let bodies: ReadonlyArray<string> = []
  await withParley(options, async ({ admin }) => {
    const make = async (path: string, body: object) =>
      (await admin.request<{ data: { id: string } }>("POST", path, body)).data.id
    const workspace_id = await make("/workspaces", { name: "Acme" })
    const handle = "+491511234567"
    const desk = { channel: "whatsapp", provider: "sandbox", name: "Desk", handle }
    const connection = await make("/connections", { workspace_id, ...desk })
    await make("/bots", { workspace_id, name: "Model", status: "active", start: { keywords: ["hello"] } })
    await make(`/connections/${connection}/simulate-inbound`, { from: "+4915112345678", body: "Hello" })
    await expect
      .poll(
        async () => {
          const path = `/messages?workspace_id=${workspace_id}&limit=10`
          const { data } = await admin.request<{ data: ReadonlyArray<{ direction: string; body: string }> }>(
            "GET",
            path
          )
          bodies = data.filter(({ direction }) => direction === "outbound").map(({ body }) => body)
          return isTold(bodies)
        },
        { timeout: 60_000 }
      )
      .toBe(true)
  })
  return bodies
}

it("a responder answers for bots without steps", async () => {
  const said = await reported(
    { responder: async ({ bot, message }) => ({ say: [`${bot.name}: ${message.body}?`], outcome: "continue" }) },
    (bodies) => bodies.length > 0
  )
  expect(said).toEqual(["Model: Hello?"])
})

it("a failing responder is retried, and its error is logged", async () => {
  let requests = 0
  const logged: Array<string> = []
  const responder = async () => {
    requests += 1
    if (requests === 1) throw new Error("the model is down")
    return { say: ["Here I am."], outcome: "finish" as const }
  }
  const said = await reported(
    { responder, logger: ({ error, level }) => void logged.push(`${level} ${error}`) },
    (bodies) => bodies.length > 0
  )
  expect(said).toEqual(["Here I am."])
  expect(logged).toEqual([expect.stringMatching(/^error .*the model is down/)])
})

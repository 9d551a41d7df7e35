import { readFileSync } from "node:fs"
import ts from "typescript"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import * as parleyClient from "../src/index.js"
import { type Host, startHost } from "./host.js"

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.stop())

/** The guide's snippets joined to one program; returns its webhook handler. */
const program = (baseUrl: string): (() => Promise<(request: Request) => Promise<Response>>) => {
  const guide = readFileSync(new URL("../../../docs/client.md", import.meta.url), "utf8")
  const snippets = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, snippet]) => snippet)
  const names = Object.keys(parleyClient)
  const source = snippets
    .join("\n")
    .replace(/^import .*$/m, "")
    .replaceAll("http://127.0.0.1:8080", baseUrl)
  const { outputText } = ts.transpileModule(`const run = async () => {\n${source}\nreturn handle\n}`, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext }
  })
  return new Function(...names, `${outputText}\nreturn run`)(...names.map((name) => Reflect.get(parleyClient, name)))
}

it("the guide's program works", async () => {
  vi.stubEnv("PARLEY_API_KEY", host.byKey.apiKey)
  vi.stubEnv("PARLEY_CLIENT_ID", host.byClient.clientId)
  vi.stubEnv("PARLEY_CLIENT_SECRET", host.byClient.clientSecret)
  vi.stubEnv("PARLEY_WEBHOOK_SECRET", host.webhookSecret)
  const printed = vi.spyOn(console, "log").mockImplementation(() => {})
  try {
    const handle = await program(host.byKey.baseUrl)()
    const lines = printed.mock.calls.map((message) => message.join(" "))
    expect(lines).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36} queued$/),
      expect.stringMatching(/^[0-9a-f-]{36} [0-9a-f-]{36} \d+ false$/),
      "Grace",
      "outbound Hello",
      expect.stringMatching(/^Send a template instead\./),
      "1"
    ])
    const { body, headers } = await host.webhook("message.sent")
    const post = (sent: string) =>
      handle(new Request("https://shop.test/hook", { method: "POST", headers, body: sent }))
    expect([(await post(body)).status, (await post(`${body} `)).status]).toEqual([204, 400])
  } finally {
    printed.mockRestore()
    vi.unstubAllEnvs()
  }
})

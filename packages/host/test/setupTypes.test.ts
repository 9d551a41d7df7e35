import { expect, it } from "@effect/vitest"
import type { Declaration, Parley } from "../src/index.js"

// The compiler is the test: `@ts-expect-error` marks what it must reject, and an unused mark is an error.
it("a declaration with unknown names is rejected at compile time", () => {
  const calls = async ({ setup }: Parley) => {
    const shop = { scopes: ["messages.send"], connections: ["desk"] } as const
    const desk = { channel: "email", handle: "desk@acme.example" } as const
    const made = await setup({ workspace: "acme", connections: { desk }, applications: { shop } })
    const ids: ReadonlyArray<string> = [made.connections.desk.id, made.applications.shop.id]
    const listed = await setup({ workspace: "acme", connections: { desk } }, { onDrift: "list" })
    const id: string | null = listed.connections.desk.id
    const declaration: Declaration = { workspace: { name: "acme" }, connections: undefined }
    await setup(declaration)
    await setup({ workspace: "acme", connections: { desk: { ...desk, provider: undefined } }, workflows: undefined })
    // @ts-expect-error the section is `connections`
    await setup({ workspace: "acme", connection: { desk } })
    // @ts-expect-error the field is `settings`
    await setup({ workspace: "acme", connections: { desk: { ...desk, config: {} } } })
    // @ts-expect-error the field is `keys`
    await setup({ workspace: "acme", applications: { shop: { ...shop, key: ["website"] } } }, { onDrift: "list" })
    const orders = { application: "shop", url: "https://acme.example", events: [] } as const
    // @ts-expect-error the field is `description`
    await setup({ workspace: "acme", endpoints: { orders: { ...orders, note: "orders" } } })
    // @ts-expect-error no such connection was declared
    return [made.connections.help.id, ids, id]
  }
  expect(calls).toBeTypeOf("function")
})

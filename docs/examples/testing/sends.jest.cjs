const { createTestParley } = require("@parley/embed/testing")

let parley
beforeEach(async () => {
  parley = await createTestParley()
})
afterEach(() => parley.close())

test("sends", async () => {
  const { applications } = await parley.setup({
    workspace: "acme",
    connections: { desk: { channel: "telegram", handle: "acme_bot" } },
    applications: { shop: { scopes: ["messages.send"], connections: ["desk"] } }
  })
  const text = { channel: "telegram", to: "12345", type: "text", message: { body: "Hello" } }
  await parley.as(applications.shop.id).messages.send(text)
  await parley.idle()
  expect(parley.sent).toMatchObject([{ to: "12345", body: "Hello" }])
})

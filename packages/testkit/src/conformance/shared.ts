import { once } from "./Suite.js"

/**
 * A workspace shared by tests that only look at their own resources: a connection on every channel, an application, and
 * a pipeline.
 */
export const shop = once(async (world) => {
  const tenant = await world.tenant()
  const stages = ["new", "won"].map((key) => ({ key, name: key }))
  await world.admin.post("/pipelines", { workspace_id: tenant.workspaceId, name: "Sales", stages })
  return tenant
})

/** Another workspace. */
export const otherTenant = once((world) => world.tenant(["whatsapp", "telegram"]))

import { defineConfig } from "tsup"

export default defineConfig({
  entry: [
    "src/programs/{attackers,burn,chat,client,deliveries,deliveriesByHand,deliveriesInBatches,engine,enqueue,fastify,filesByHand,floor,inboundByHand,inboundInBatches,jobs,jobsOfPeers,lists,mounted,receivers,runs,runsByHand,snapshot,storiesByHand,subscriptions,throttle,vendor,victims,visitors,waits}.ts"
  ],
  format: ["esm"],
  dts: false,
  clean: true,
  sourcemap: true,
  target: "node20",
  noExternal: [/^(?!(better-sqlite3|pg|fastify|undici|node:.*)$)/],
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url)' },
  esbuildOptions: (options) => {
    options.conditions = ["parley-source"]
  }
})

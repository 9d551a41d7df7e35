import { defineConfig } from "tsup"

export default defineConfig({
  entry: ["src/main.ts"],
  format: ["esm"],
  dts: false,
  sourcemap: true,
  clean: true,
  target: "node20",
  noExternal: [/^@parley\//],
  esbuildOptions: (options) => {
    options.conditions = ["parley-source"]
  }
})

export { library as default } from "../../tsup.config.js"

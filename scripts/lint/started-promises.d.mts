declare const plugin: { meta: { name: string }; rules: { 'started-promises': object } }
export default plugin

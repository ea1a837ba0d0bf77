export const layerMethods = () => ({});

// What all pages share: a button, an output, and the server from the query.
export const serverUrl = new URLSearchParams(location.search).get('server') ?? '';
document.body.innerHTML = '<button disabled>Run report</button> <output></output>';
export const button = document.querySelector('button');
export const show = (text) => (document.querySelector('output').textContent = text);

'use strict';
(function () {
  const phases = JSON.parse(document.getElementById('ledger-data').textContent);
  const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const font = getComputedStyle(document.body).fontFamily;
  const applications = [...new Set(phases.map(p => p.application))];
  const axis = {
    axisLine: { lineStyle: { color: color('--line') } },
    axisTick: { show: false },
    axisLabel: { color: color('--soft'), fontFamily: font },
    splitLine: { lineStyle: { color: color('--line') } },
    nameTextStyle: { color: color('--soft'), fontFamily: font, align: 'left' }
  };
  const base = {
    animation: false,
    aria: { enabled: true },
    textStyle: { fontFamily: font, color: color('--ink') },
    tooltip: {
      confine: true, backgroundColor: color('--card'), borderColor: color('--line'),
      textStyle: { color: color('--ink'), fontFamily: font, fontSize: 13 }
    }
  };
  const text = value => echarts.format.encodeHTML(String(value));
  const described = p => `${text(p.application)}<br>${p.seconds.toFixed(2)} s, reported by ${text(p.source)}`
    + `<br>${text(p.decision)}<br>ours: ${p.oursMib.toFixed(1)} MiB`
    + (p.slowdown == null ? '' : `<br>${p.slowdown.toFixed(1)} % slower than alone`);

  function bar(params, api) {
    const row = api.value(0);
    const from = api.coord([api.value(1), row]);
    const to = api.coord([api.value(2), row]);
    const height = Math.min(22, api.size([0, 1])[1] * 0.6);
    const p = phases[api.value(3)];
    const children = [{
      type: 'rect',
      shape: { x: from[0], y: from[1] - height / 2, width: Math.max(2, to[0] - from[0]), height },
      style: { fill: color('--fulldelay'), opacity: p.held ? 1 : 0.35 }
    }];
    if (p.predicted != null) {
      const x = api.coord([p.predicted, row])[0];
      children.push({
        type: 'rect',
        shape: { x: x - 1, y: from[1] - height / 2 - 5, width: 2, height: height + 10 },
        style: { fill: color(p.closedBefore ? '--ink' : '--missed') }
      });
    }
    return { type: 'group', children };
  }

  const place = document.getElementById('phases');
  place.style.height = (110 + 42 * Math.max(1, applications.length)) + 'px';
  const timeline = echarts.init(place, null, { renderer: 'svg' });
  timeline.setOption(Object.assign({}, base, {
    grid: { left: 10, right: 20, top: 10, bottom: 60, containLabel: true },
    dataZoom: [{ type: 'inside' }, { type: 'slider', bottom: 8, height: 20 }],
    xAxis: Object.assign({ type: 'time' }, axis),
    yAxis: Object.assign({ type: 'category', data: applications, inverse: true }, axis),
    tooltip: Object.assign({ formatter: i => described(phases[i.value[3]]) }, base.tooltip),
    series: [{
      type: 'custom', renderItem: bar, encode: { x: [1, 2], y: 0 },
      data: phases.map((p, i) => [applications.indexOf(p.application), p.began, p.began + 1000 * p.seconds, i])
    }]
  }));

  const dots = echarts.init(document.getElementById('slowdown'), null, { renderer: 'svg' });
  dots.setOption(Object.assign({}, base, {
    grid: { left: 50, right: 20, top: 70, bottom: 40 },
    legend: { top: 4, left: 0, data: applications, textStyle: { color: color('--soft'), fontFamily: font } },
    xAxis: Object.assign({ type: 'time' }, axis),
    yAxis: Object.assign({ type: 'value', name: '% slower than alone', scale: true }, axis),
    tooltip: Object.assign({ formatter: i => described(phases[i.value[2]]) }, base.tooltip),
    series: applications.map(name => ({
      name, type: 'scatter',
      symbolSize: value => 7 + Math.min(20, Math.sqrt(phases[value[2]].oursMib)),
      data: phases.map((p, i) => [p.began, p.slowdown, i])
        .filter(d => phases[d[2]].application === name && d[1] != null)
    }))
  }));
  addEventListener('resize', () => { timeline.resize(); dots.resize(); });
})();
